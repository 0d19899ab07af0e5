"""`tf.strings`: functions of tensors of strings."""

from gradtape._src.api.strings import as_string as as_string
from gradtape._src.api.strings import join as join
from gradtape._src.api.strings import length as length
from gradtape._src.api.strings import lower as lower
from gradtape._src.api.strings import reduce_join as reduce_join
from gradtape._src.api.strings import regex_full_match as regex_full_match
from gradtape._src.api.strings import regex_replace as regex_replace
from gradtape._src.api.strings import strip as strip
from gradtape._src.api.strings import substr as substr
from gradtape._src.api.strings import to_hash_bucket as to_hash_bucket
from gradtape._src.api.strings import to_hash_bucket_fast as to_hash_bucket_fast
from gradtape._src.api.strings import to_hash_bucket_strong as to_hash_bucket_strong
from gradtape._src.api.strings import to_number as to_number
from gradtape._src.api.strings import unsorted_segment_join as unsorted_segment_join
from gradtape._src.api.strings import upper as upper
from gradtape._src.api.strings_cut import bytes_split as bytes_split
from gradtape._src.api.strings_cut import ngrams as ngrams
from gradtape._src.api.strings_cut import split as split
from gradtape._src.api.strings_cut import unicode_decode as unicode_decode
from gradtape._src.api.strings_cut import unicode_encode as unicode_encode
from gradtape._src.api.strings_cut import unicode_split as unicode_split
from gradtape._src.api.strings_cut import unicode_transcode as unicode_transcode
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.function.string_format import format as format

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
