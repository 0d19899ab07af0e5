"""`tf.linalg`: matrices, and norms."""

from gradtape._src.api.banded import banded_triangular_solve as banded_triangular_solve
from gradtape._src.api.banded import tridiagonal_matmul as tridiagonal_matmul
from gradtape._src.api.banded import tridiagonal_solve as tridiagonal_solve
from gradtape._src.api.creation import eye as eye
from gradtape._src.api.decompositions import cholesky as cholesky
from gradtape._src.api.decompositions import eig as eig
from gradtape._src.api.decompositions import eigh as eigh
from gradtape._src.api.decompositions import eigh_tridiagonal as eigh_tridiagonal
from gradtape._src.api.decompositions import eigvals as eigvals
from gradtape._src.api.decompositions import eigvalsh as eigvalsh
from gradtape._src.api.decompositions import expm as expm
from gradtape._src.api.decompositions import logdet as logdet
from gradtape._src.api.decompositions import logm as logm
from gradtape._src.api.decompositions import lu as lu
from gradtape._src.api.decompositions import matrix_rank as matrix_rank
from gradtape._src.api.decompositions import qr as qr
from gradtape._src.api.decompositions import sqrtm as sqrtm
from gradtape._src.api.decompositions import svd as svd
from gradtape._src.api.diagonals import band_part as band_part
from gradtape._src.api.diagonals import diag as diag
from gradtape._src.api.diagonals import diag_part as diag_part
from gradtape._src.api.diagonals import set_diag as set_diag
from gradtape._src.api.diagonals import tensor_diag as tensor_diag
from gradtape._src.api.diagonals import tensor_diag_part as tensor_diag_part
from gradtape._src.api.einsum import einsum as einsum
from gradtape._src.api.norms import global_norm as global_norm
from gradtape._src.api.norms import l2_normalize as l2_normalize
from gradtape._src.api.norms import norm as norm
from gradtape._src.api.norms import normalize as normalize
from gradtape._src.api.products import adjoint as adjoint
from gradtape._src.api.products import cross as cross
from gradtape._src.api.products import matmul as matmul
from gradtape._src.api.products import matrix_transpose as matrix_transpose
from gradtape._src.api.products import matvec as matvec
from gradtape._src.api.products import tensordot as tensordot
from gradtape._src.api.products import trace as trace
from gradtape._src.api.solvers import cholesky_solve as cholesky_solve
from gradtape._src.api.solvers import det as det
from gradtape._src.api.solvers import inv as inv
from gradtape._src.api.solvers import lstsq as lstsq
from gradtape._src.api.solvers import lu_matrix_inverse as lu_matrix_inverse
from gradtape._src.api.solvers import lu_reconstruct as lu_reconstruct
from gradtape._src.api.solvers import lu_solve as lu_solve
from gradtape._src.api.solvers import pinv as pinv
from gradtape._src.api.solvers import slogdet as slogdet
from gradtape._src.api.solvers import solve as solve
from gradtape._src.api.solvers import triangular_solve as triangular_solve
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
