"""`tf.math.special`: Bessel functions and integrals of elementary functions."""

from gradtape._src.api.bessel import bessel_i0 as bessel_i0
from gradtape._src.api.bessel import bessel_i0e as bessel_i0e
from gradtape._src.api.bessel import bessel_i1 as bessel_i1
from gradtape._src.api.bessel import bessel_i1e as bessel_i1e
from gradtape._src.api.bessel import bessel_j0 as bessel_j0
from gradtape._src.api.bessel import bessel_j1 as bessel_j1
from gradtape._src.api.bessel import bessel_k0 as bessel_k0
from gradtape._src.api.bessel import bessel_k0e as bessel_k0e
from gradtape._src.api.bessel import bessel_k1 as bessel_k1
from gradtape._src.api.bessel import bessel_k1e as bessel_k1e
from gradtape._src.api.bessel import bessel_y0 as bessel_y0
from gradtape._src.api.bessel import bessel_y1 as bessel_y1
from gradtape._src.api.special import dawsn as dawsn
from gradtape._src.api.special import expint as expint
from gradtape._src.api.special import fresnel_cos as fresnel_cos
from gradtape._src.api.special import fresnel_sin as fresnel_sin
from gradtape._src.api.special import spence as spence
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
