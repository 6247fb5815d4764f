"""How the CPU plan looks to people."""

from photic.cli.cpu_view import cpu_notes, cpu_rows
from photic.cpu_budget.plan import plan_for
from photic.cpu_budget.share import CpuShare


def test_each_number_has_a_row_with_its_reason():
    plan = plan_for(CpuShare(16))
    assert [row[:2] for row in cpu_rows(plan)] == [
        ("workers", "16"),
        ("ONNX Runtime, each run", "1"),
        ("ONNX Runtime, lone request", "8"),
        ("HTTP server", "1"),
    ]
    assert all(reason for _, _, reason in cpu_rows(plan))


def test_nothing_to_say_of_an_ordinary_machine():
    assert list(cpu_notes(plan_for(CpuShare(8)), 8000)) == []


def test_a_warning_is_called_one():
    [note] = cpu_notes(plan_for(CpuShare(2, None, 8)), 8000)
    assert note.startswith("Warning: cpu.cpus = 8 is more than there is")


def test_many_cores_get_commands_to_copy():
    lines = "\n".join(cpu_notes(plan_for(CpuShare(16)), 9000)).splitlines()
    assert "  photic serve --port 9001 --cpus 8" in lines
    assert "  photic serve --port 9002 --cpus 8" in lines
    assert "least_conn; server 127.0.0.1:9001; server 127.0.0.1:9002;" in lines[-1]


def test_port_0_leaves_the_usual_one_to_the_balancer():
    assert "  photic serve --port 8001 --cpus 8" in cpu_notes(plan_for(CpuShare(16)), 0)
