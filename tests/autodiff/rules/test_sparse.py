"""Products with sparse matrices, which stay as they are."""

import numpy as np
import pytest
from scipy import sparse

from autodiff import Variable, grad, jvp

DENSE = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]])


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix])
@pytest.mark.parametrize("shape", [(3,), (3, 4), (3, 1), (3, 0)])
def test_on_the_left(kind, shape, check_rule):
    matrix, x = kind(DENSE), np.linspace(-1, 2, int(np.prod(shape))).reshape(shape)
    check_rule(lambda x: matrix @ x, x, single=False)
    np.testing.assert_allclose((matrix @ Variable(x)).value, DENSE @ x)
    wanted = grad(lambda x: np.sum((DENSE @ x) ** 3))(x)
    np.testing.assert_allclose(grad(lambda x: np.sum((matrix @ x) ** 3))(x), wanted)
    np.testing.assert_allclose(jvp(lambda x: matrix.dot(x), (x,), (x,))[1], DENSE @ x)


@pytest.mark.parametrize("shape", [(2,), (4, 2)])
def test_on_the_right(shape, check_rule):
    matrix, x = sparse.csr_array(DENSE), np.linspace(-1, 2, int(np.prod(shape))).reshape(shape)
    check_rule(lambda x: x @ matrix, x, single=False)
    np.testing.assert_allclose((Variable(x) @ matrix).value, x @ DENSE)


def test_what_is_no_product_with_a_matrix_is_refused():
    matrix = sparse.csr_array(DENSE)
    with pytest.raises((TypeError, ValueError)):
        matrix * Variable([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="dimension mismatch"):
        matrix @ Variable([1.0, 2.0])
