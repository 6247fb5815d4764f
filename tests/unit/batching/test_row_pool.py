import numpy as np
import pytest

from photic.batching.row_pool import RowPool

FLOAT32 = np.dtype(np.float32)
NEIGHBOURLY = (3, 4, 4)  # 192 bytes, a multiple of 64
ODD = (3, 5, 5)  # 300 bytes

each_shape = pytest.mark.parametrize("shape", [NEIGHBOURLY, ODD])


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@each_shape
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_every_row_is_aligned_contiguous_and_apart_from_the_others(shape, dtype):
    pool = RowPool(5, shape, np.dtype(dtype))
    for index in range(5):
        row = pool.row(index)
        assert row.shape == shape
        assert row.dtype == dtype
        assert row.flags.c_contiguous
        assert row.flags.writeable
        assert address(row) % 64 == 0
        row[...] = index
    assert [pool.row(index).max() for index in range(5)] == [0, 1, 2, 3, 4]
    assert [pool.row(index).min() for index in range(5)] == [0, 1, 2, 3, 4]


def test_the_lowest_free_row_comes_first():
    pool = RowPool(3, ODD, FLOAT32)
    assert [pool.acquire() for _ in range(3)] == [0, 1, 2]
    pool.release(2)
    pool.release(0)
    assert pool.free == 2
    assert pool.acquire() == 0
    assert pool.acquire() == 2
    assert pool.free == 0


def test_an_empty_pool_gives_nothing():
    pool = RowPool(1, ODD, FLOAT32)
    pool.acquire()
    with pytest.raises(IndexError):
        pool.acquire()


def test_a_row_cannot_be_released_twice():
    pool = RowPool(2, ODD, FLOAT32)
    index = pool.acquire()
    pool.release(index)
    with pytest.raises(ValueError, match="row 0 is released twice"):
        pool.release(index)
    assert pool.free == 2


def test_neighbours_are_gathered_without_a_copy():
    pool = RowPool(4, NEIGHBOURLY, FLOAT32)
    batch = pool.gather([1, 2, 3], buffer=None)
    assert batch.shape == (3, *NEIGHBOURLY)
    assert address(batch) == address(pool.row(1))
    assert batch.flags.c_contiguous


@each_shape
def test_one_row_is_gathered_without_a_copy(shape):
    pool = RowPool(4, shape, FLOAT32)
    batch = pool.gather([2], buffer=None)
    assert batch.shape == (1, *shape)
    assert address(batch) == address(pool.row(2))
    assert batch.flags.c_contiguous


@pytest.mark.parametrize(
    ("shape", "indices"), [(NEIGHBOURLY, [0, 2, 3]), (NEIGHBOURLY, [1, 3]), (ODD, [0, 1, 2])]
)
def test_rows_with_gaps_are_copied_to_the_buffer(shape, indices):
    pool = RowPool(4, shape, FLOAT32)
    for index in range(4):
        pool.row(index)[...] = index
    buffer = pool.batch_buffer(4)
    batch = pool.gather(indices, buffer)
    assert address(batch) == address(buffer)
    assert address(batch) % 64 == 0
    assert batch.flags.c_contiguous
    np.testing.assert_array_equal(batch, np.stack([np.full(shape, i) for i in indices]))


def test_rows_with_gaps_need_a_buffer():
    with pytest.raises(ValueError, match=r"rows \[0, 2\] are not neighbours"):
        RowPool(3, NEIGHBOURLY, FLOAT32).gather([0, 2], buffer=None)
