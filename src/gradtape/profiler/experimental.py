"""`tf.profiler.experimental`: profiles of a part of a program."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.profile.profiler import Profile as Profile
from gradtape._src.profile.profiler import ProfilerOptions as ProfilerOptions
from gradtape._src.profile.profiler import Trace as Trace
from gradtape._src.profile.profiler import start as start
from gradtape._src.profile.profiler import stop as stop

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
