"""`tf.io.gfile`: files and folders."""

from gradtape._src.api.gfile import GFile as GFile
from gradtape._src.api.gfile import copy as copy
from gradtape._src.api.gfile import exists as exists
from gradtape._src.api.gfile import get_registered_schemes as get_registered_schemes
from gradtape._src.api.gfile import glob as glob
from gradtape._src.api.gfile import isdir as isdir
from gradtape._src.api.gfile import join as join
from gradtape._src.api.gfile import listdir as listdir
from gradtape._src.api.gfile import makedirs as makedirs
from gradtape._src.api.gfile import mkdir as mkdir
from gradtape._src.api.gfile import remove as remove
from gradtape._src.api.gfile import rename as rename
from gradtape._src.api.gfile import rmtree as rmtree
from gradtape._src.api.gfile import stat as stat
from gradtape._src.api.gfile import walk as walk
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
