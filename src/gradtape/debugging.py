"""`tf.debugging`: assertions, and why gradients are None."""

from gradtape._src.autodiff.reasons import check_gradients as check_gradients
from gradtape._src.autodiff.reasons import disable_check_numerics as disable_check_numerics
from gradtape._src.autodiff.reasons import disable_explanations as disable_explanations
from gradtape._src.autodiff.reasons import disable_gradient_checks as disable_gradient_checks
from gradtape._src.autodiff.reasons import disable_pictures as disable_pictures
from gradtape._src.autodiff.reasons import draw_gradients as draw_gradients
from gradtape._src.autodiff.reasons import enable_check_numerics as enable_check_numerics
from gradtape._src.autodiff.reasons import enable_explanations as enable_explanations
from gradtape._src.autodiff.reasons import enable_gradient_checks as enable_gradient_checks
from gradtape._src.autodiff.reasons import enable_pictures as enable_pictures
from gradtape._src.autodiff.reasons import explain_gradients as explain_gradients
from gradtape._src.autodiff.unconnected import NoGradientError as NoGradientError
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.explain.explanation import Explanation as Explanation
from gradtape._src.explain.explanation import GradientCheck as GradientCheck
from gradtape._src.function.debugging import Assert as Assert
from gradtape._src.function.debugging import assert_all_finite as assert_all_finite
from gradtape._src.function.debugging import assert_equal as assert_equal
from gradtape._src.function.debugging import assert_greater as assert_greater
from gradtape._src.function.debugging import assert_greater_equal as assert_greater_equal
from gradtape._src.function.debugging import assert_less as assert_less
from gradtape._src.function.debugging import assert_less_equal as assert_less_equal
from gradtape._src.function.debugging import assert_near as assert_near
from gradtape._src.function.debugging import assert_negative as assert_negative
from gradtape._src.function.debugging import assert_non_negative as assert_non_negative
from gradtape._src.function.debugging import assert_non_positive as assert_non_positive
from gradtape._src.function.debugging import assert_none_equal as assert_none_equal
from gradtape._src.function.debugging import assert_positive as assert_positive
from gradtape._src.function.debugging import check_numerics as check_numerics
from gradtape._src.function.static_checks import assert_integer as assert_integer
from gradtape._src.function.static_checks import assert_proper_iterable as assert_proper_iterable
from gradtape._src.function.static_checks import assert_rank as assert_rank
from gradtape._src.function.static_checks import assert_rank_at_least as assert_rank_at_least
from gradtape._src.function.static_checks import assert_rank_in as assert_rank_in
from gradtape._src.function.static_checks import assert_same_float_dtype as assert_same_float_dtype
from gradtape._src.function.static_checks import assert_scalar as assert_scalar
from gradtape._src.function.static_checks import assert_shapes as assert_shapes
from gradtape._src.function.static_checks import assert_type as assert_type
from gradtape._src.function.static_checks import disable_traceback_filtering as disable_traceback_filtering
from gradtape._src.function.static_checks import enable_traceback_filtering as enable_traceback_filtering
from gradtape._src.function.static_checks import get_log_device_placement as get_log_device_placement
from gradtape._src.function.static_checks import is_numeric_tensor as is_numeric_tensor
from gradtape._src.function.static_checks import (
    is_traceback_filtering_enabled as is_traceback_filtering_enabled,
)
from gradtape._src.function.static_checks import set_log_device_placement as set_log_device_placement
from gradtape._src.viz.picture import Picture as Picture

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
