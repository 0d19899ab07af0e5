"""`tf.compat.v1.gfile`: files and folders, by the names of TensorFlow 1."""

from gradtape._src.api.gfile import GFile as FastGFile
from gradtape._src.api.gfile import GFile as GFile
from gradtape._src.api.gfile import GFile as Open
from gradtape._src.api.gfile import copy as Copy
from gradtape._src.api.gfile import exists as Exists
from gradtape._src.api.gfile import glob as Glob
from gradtape._src.api.gfile import isdir as IsDirectory
from gradtape._src.api.gfile import listdir as ListDirectory
from gradtape._src.api.gfile import makedirs as MakeDirs
from gradtape._src.api.gfile import mkdir as MkDir
from gradtape._src.api.gfile import remove as Remove
from gradtape._src.api.gfile import rename as Rename
from gradtape._src.api.gfile import rmtree as DeleteRecursively
from gradtape._src.api.gfile import stat as Stat
from gradtape._src.api.gfile import walk as Walk
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
