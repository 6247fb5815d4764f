from bench.load.photic_stats import BatchCounts


def test_what_came_since_an_earlier_look() -> None:
    earlier = BatchCounts({"1": 10, "4": 2}, alone=3)
    later = BatchCounts({"1": 10, "4": 5, "2": 1}, alone=4)
    assert later.since(earlier) == BatchCounts({"2": 1, "4": 3}, alone=1)


def test_a_server_without_counts_has_none() -> None:
    assert BatchCounts().since(BatchCounts()) == BatchCounts({}, 0)
