"""Forward mode, and derivatives of Python functions in one call: `tf.autodiff`."""

from gradtape._src.autodiff.accumulator import ForwardAccumulator as ForwardAccumulator
from gradtape._src.autodiff.functional import hessian as hessian
from gradtape._src.autodiff.functional import hessian_diagonal as hessian_diagonal
from gradtape._src.autodiff.functional import hvp as hvp
from gradtape._src.autodiff.functional import jacobian as jacobian
from gradtape._src.autodiff.functional import jvp as jvp
from gradtape._src.autodiff.functional import laplacian as laplacian
from gradtape._src.autodiff.functional import vjp as vjp
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
