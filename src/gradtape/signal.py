"""`tf.signal`: Fourier transforms."""

from gradtape._src.api.fft import fft as fft
from gradtape._src.api.fft import fft2d as fft2d
from gradtape._src.api.fft import fft3d as fft3d
from gradtape._src.api.fft import fftnd as fftnd
from gradtape._src.api.fft import fftshift as fftshift
from gradtape._src.api.fft import ifft as ifft
from gradtape._src.api.fft import ifft2d as ifft2d
from gradtape._src.api.fft import ifft3d as ifft3d
from gradtape._src.api.fft import ifftnd as ifftnd
from gradtape._src.api.fft import ifftshift as ifftshift
from gradtape._src.api.fft import irfft as irfft
from gradtape._src.api.fft import irfft2d as irfft2d
from gradtape._src.api.fft import irfft3d as irfft3d
from gradtape._src.api.fft import irfftnd as irfftnd
from gradtape._src.api.fft import rfft as rfft
from gradtape._src.api.fft import rfft2d as rfft2d
from gradtape._src.api.fft import rfft3d as rfft3d
from gradtape._src.api.fft import rfftnd as rfftnd
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
