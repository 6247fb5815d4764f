import click
import pytest
from click.testing import CliRunner

from photic.cli import photic as group
from photic.cli.setting_flags import FLAGS, setting_flags, setting_help
from photic.errors import SettingsError
from photic.settings_loader import LoadedSettings, setting_types


@click.command()
@setting_flags("server.port", "models.embedded")
def command(loaded: LoadedSettings) -> None:
    """Show what came in."""
    for name in ("server.port", "models.embedded", "decode.max_scans"):
        section, field = name.split(".")
        value = getattr(getattr(loaded.settings, section), field)
        click.echo(f"{name}={value} {loaded.origins[name]}")


def run(*arguments: str) -> list[str]:
    result = CliRunner(env={"PHOTIC_CONFIG": None}).invoke(
        command, arguments, catch_exceptions=False
    )
    return result.output.splitlines()


def test_flags_become_settings_with_their_origin() -> None:
    assert run("--port", "9", "--embedded", "false", "--set", "decode.max_scans=3") == [
        "server.port=9 --port",
        "models.embedded=False --embedded",
        "decode.max_scans=3 --set",
    ]


def test_the_own_flag_beats_set() -> None:
    assert run("--set", "server.port=8", "--port", "9")[0] == "server.port=9 --port"
    assert run("--set", "server.port=8")[0] == "server.port=8 --set"


def test_without_flags_all_is_as_configured() -> None:
    assert run() == [
        "server.port=8000 default",
        "models.embedded=True default",
        "decode.max_scans=100 default",
    ]


def test_the_loader_explains_bad_values() -> None:
    with pytest.raises(SettingsError, match=r'server\.port = "x" \(from --port\) must be'):
        run("--port", "x")


def test_each_flag_belongs_to_a_setting() -> None:
    assert set(FLAGS) <= set(setting_types())
    assert len(set(FLAGS.values())) == len(FLAGS)


def test_each_setting_has_its_text() -> None:
    texts = setting_help()
    assert texts.keys() == setting_types().keys()
    assert texts["server.port"] == "Port to listen on; 0 picks a free one."


@pytest.mark.parametrize("name", group.list_commands(click.Context(group)))
def test_every_option_has_a_text_and_every_value_its_default(name: str) -> None:
    found = group.get_command(click.Context(group), name)
    assert found is not None
    options = [one for one in found.params if isinstance(one, click.Option)]
    assert options
    assert [one.name for one in options if not one.help] == []
    flags = [one for one in options if one.opts[0] in FLAGS.values()]
    assert [one.name for one in flags if "[" not in (one.help or "")] == []
