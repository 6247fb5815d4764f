"""``photic config``: every setting, its value and where it came from; the CPU plan and why."""

from typing import TYPE_CHECKING, Any

import click
import msgspec
from msgspec import Struct

from photic.cli.cpu_view import CPU_COLUMNS, cpu_notes, cpu_rows
from photic.cli.output import write
from photic.cli.setting_flags import FLAGS, setting_flags, setting_help
from photic.cpu_budget import CpuPlan, plan_cpus
from photic.settings_loader import setting_value
from photic.strict_struct import show_value

if TYPE_CHECKING:
    from photic.settings_loader import LoadedSettings

__all__ = ["config"]


class SettingInfo(Struct, frozen=True):
    """One setting, as it is listed."""

    name: str
    value: Any
    origin: str
    help: str


class Report(Struct, frozen=True):
    """What ``--json`` writes."""

    settings: list[SettingInfo]
    cpu_plan: CpuPlan
    native: dict[str, Any]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
@setting_flags(*FLAGS)
def config(as_json: bool, loaded: "LoadedSettings") -> None:
    """Show every setting, its value and where it came from.

    Flags win over the environment (PHOTIC_SERVER_PORT for server.port), that over the settings
    file, and that over the defaults. The flags are those of `photic serve`.
    """
    from photic.preprocess import native_info

    texts = setting_help()
    settings = [
        SettingInfo(name, setting_value(loaded.settings, name), origin, texts[name])
        for name, origin in loaded.origins.items()
    ]
    asked = loaded.settings.inference.latency_threads
    plan = plan_cpus(loaded.settings.cpu, latency_threads=asked)
    report = Report(settings, plan, native_info())
    if as_json:
        write(msgspec.json.encode(report))
    else:
        _print(report, loaded.settings.server.port)


def _print(report: Report, port: int) -> None:
    from photic.cli.tables import print_table

    rows = [(info.name, show_value(info.value), info.origin) for info in report.settings]
    print_table(("Setting", "Value", "From"), rows)
    facts = ", ".join(f"{name} {_words(value)}" for name, value in report.native.items())
    write(f"\nCPU plan for {report.cpu_plan.share}")
    print_table(CPU_COLUMNS, cpu_rows(report.cpu_plan))
    for note in cpu_notes(report.cpu_plan, port):
        write(note)
    write(f"\nNative core: {facts}")


def _words(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)
