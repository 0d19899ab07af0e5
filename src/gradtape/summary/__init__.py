"""`tf.summary`: event files for TensorBoard."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.summary.v2 import SummaryWriter as SummaryWriter
from gradtape._src.summary.v2 import create_file_writer as create_file_writer
from gradtape._src.summary.v2 import create_noop_writer as create_noop_writer
from gradtape._src.summary.v2 import flush as flush
from gradtape._src.summary.v2 import graph as graph
from gradtape._src.summary.v2 import histogram as histogram
from gradtape._src.summary.v2 import image as image
from gradtape._src.summary.v2 import record_if as record_if
from gradtape._src.summary.v2 import scalar as scalar
from gradtape._src.summary.v2 import should_record_summaries as should_record_summaries
from gradtape._src.summary.v2 import text as text
from gradtape._src.summary.v2 import trace_export as trace_export
from gradtape._src.summary.v2 import trace_off as trace_off
from gradtape._src.summary.v2 import trace_on as trace_on
from gradtape._src.summary.v2 import write as write
from gradtape.summary import experimental as experimental

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
