from pathlib import Path

import pytest

from photic.errors import SettingsError
from photic.settings import Settings
from photic.settings_loader import LoadedSettings, load_settings, setting_types


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No photic.toml of the checkout plays in."""
    monkeypatch.chdir(tmp_path)


def load(
    toml: str = "", flags: dict[str, object] | None = None, **environment: str
) -> LoadedSettings:
    Path("photic.toml").write_text(toml)
    return load_settings(flags=flags, environment=environment)


def test_defaults() -> None:
    loaded = load_settings(environment={})
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"default"}
    assert loaded.origins.keys() == setting_types().keys()


def test_each_source_beats_the_next() -> None:
    toml = "[server]\nport = 1\nhost = 'a'\nbacklog = 7\ndrain_grace_ms = 9"
    loaded = load(
        toml,
        {"server.port": 3, "server.backlog": None},
        PHOTIC_SERVER_PORT="2",
        PHOTIC_SERVER_HOST="b",
    )
    server = loaded.settings.server
    assert (server.port, server.host, server.backlog, server.drain_grace_ms) == (3, "b", 7, 9)
    assert loaded.origins["server.port"] == "--port"
    assert loaded.origins["server.host"] == "PHOTIC_SERVER_HOST"
    assert loaded.origins["server.backlog"] == "photic.toml"
    assert loaded.origins["server.drain_timeout_ms"] == "default"


def test_which_file_is_read(tmp_path: Path) -> None:
    for name, port in (("photic.toml", 1), ("variable.toml", 2), ("flag.toml", 3)):
        (tmp_path / name).write_text(f"[server]\nport = {port}\n")
    environment = {"PHOTIC_CONFIG": "variable.toml"}
    assert load_settings(environment={}).settings.server.port == 1
    assert load_settings(environment=environment).settings.server.port == 2
    loaded = load_settings(config=Path("flag.toml"), environment=environment)
    assert loaded.settings.server.port == 3
    assert loaded.origins["server.port"] == "flag.toml"


def test_the_environment_is_converted_by_type() -> None:
    loaded = load(
        PHOTIC_MODELS_EMBEDDED="0",
        PHOTIC_DECODE_FORMATS="png, gif",
        PHOTIC_CPU_CPUS="1.5",
        PHOTIC_MODELS_DEFAULT="007",
    )
    settings = loaded.settings
    assert settings.models.embedded is False
    assert settings.decode.formats == ("png", "gif")
    assert settings.cpu.cpus == 1.5
    assert settings.models.default == "007"


def test_a_flag_may_have_its_own_name() -> None:
    loaded = load_settings(
        flags={"models.repository": "m"},
        flag_names={"models.repository": "--model-repository"},
        environment={},
    )
    assert loaded.origins["models.repository"] == "--model-repository"


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        (
            "PHOTIC_SERVER_PORT",
            "70000",
            'server.port = "70000" (from PHOTIC_SERVER_PORT) must be an integer from 0 to 65535',
        ),
        (
            "PHOTIC_SERVER_PORT",
            "80.5",
            'server.port = "80.5" (from PHOTIC_SERVER_PORT) must be an integer from 0 to 65535',
        ),
        (
            "PHOTIC_MODELS_EMBEDDED",
            "yes",
            'models.embedded = "yes" (from PHOTIC_MODELS_EMBEDDED) must be true or false',
        ),
        (
            "PHOTIC_SERVER_PROT",
            "1",
            (
                "the environment variable PHOTIC_SERVER_PROT names no setting; did you mean "
                "`PHOTIC_SERVER_PORT`?"
            ),
        ),
        (
            "PHOTIC_ADMISSION_DEADLINE_MS",
            "90000",
            (
                "admission.deadline_ms = 90000 (from PHOTIC_ADMISSION_DEADLINE_MS) may not exceed "
                "admission.max_deadline_ms = 60000 (from default)"
            ),
        ),
    ],
)
def test_a_bad_variable_is_one_clear_line(variable: str, value: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(environment={variable: value})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("[sever]\nport = 1", "there is no section [sever]; did you mean `server`?"),
        ("[server]\nprot = 1", "[server] has no setting `prot`; did you mean `port`?"),
        ("server = 1", "server = 1 must be a table, [server]"),
        ("[server]\nport = '1'", 'server.port = "1" (from photic.toml) must be an integer'),
        ("[server]\nport = true", "server.port = true (from photic.toml) must be an integer"),
        ("[decode]\nformats = ['png', 'gig']", 'did you mean "gif"?'),
        ("[cpu]\ncpus = inf", "cpu.cpus = Infinity (from photic.toml) must be a number from 0"),
        ("[server", "photic.toml: not valid TOML"),
    ],
)
def test_a_bad_file_is_one_clear_line(toml: str, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(toml)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: cannot read the settings: No such file"):
        load_settings(config=Path("none.toml"), environment={})
    with pytest.raises(SettingsError, match=r"gone\.toml: cannot read the settings"):
        load_settings(environment={"PHOTIC_CONFIG": "gone.toml"})
    (tmp_path / "photic.toml").write_bytes(b"# \xe4")
    with pytest.raises(SettingsError, match="not UTF-8 at byte 2"):
        load_settings(environment={})


def test_an_unknown_flag() -> None:
    with pytest.raises(SettingsError, match=r"no setting `server\.prot`; did you mean"):
        load_settings(flags={"server.prot": 1}, environment={})


def test_service_links_of_kubernetes_are_not_settings() -> None:
    """A service called photic, or photic-server, puts these into every pod beside it."""
    loaded = load_settings(
        environment={
            "PHOTIC_SERVICE_HOST": "10.0.0.1",
            "PHOTIC_SERVICE_PORT": "80",
            "PHOTIC_SERVICE_PORT_HTTP": "80",
            "PHOTIC_PORT": "tcp://10.0.0.1:80",
            "PHOTIC_PORT_80_TCP": "tcp://10.0.0.1:80",
            "PHOTIC_PORT_80_TCP_ADDR": "10.0.0.1",
            "PHOTIC_SERVER_PORT": "tcp://10.0.0.1:80",
            "PHOTIC_SERVER_SERVICE_HOST": "10.0.0.1",
        }
    )
    assert loaded.settings == Settings()
