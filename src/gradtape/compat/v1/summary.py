"""`tf.compat.v1.summary`: summaries as operations, and their writer."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.summary.v1 import FileWriter as FileWriter
from gradtape._src.summary.v1 import FileWriterCache as FileWriterCache
from gradtape._src.summary.v1 import histogram as histogram
from gradtape._src.summary.v1 import image as image
from gradtape._src.summary.v1 import merge as merge
from gradtape._src.summary.v1 import merge_all as merge_all
from gradtape._src.summary.v1 import scalar as scalar
from gradtape._src.summary.v1 import text as text

_MESSAGES = {
    "Event": "tensorboardX.proto.event_pb2:Event",
    "SessionLog": "tensorboardX.proto.event_pb2:SessionLog",
    "Summary": "tensorboardX.proto.summary_pb2:Summary",
    "SummaryDescription": "tensorboardX.proto.summary_pb2:SummaryDescription",
    "TaggedRunMetadata": "tensorboardX.proto.event_pb2:TaggedRunMetadata",
}
__getattr__ = _missing(__name__, globals(), elsewhere=_MESSAGES)
