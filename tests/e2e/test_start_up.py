"""What cannot start says so in one line, with exit code 2, before serving."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from photic.models.repository import embedded_repository
from running_server import RunningServer

EMBEDDED = embedded_repository().bundle("efficientnet-lite0")
TOML = EMBEDDED.path.parents[1] / "model.toml"


def refusal(*arguments: str, folder: Path, environment: dict[str, str] | None = None) -> str:
    """The one line of a server that must not start."""
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "photic",
            "serve",
            "--port",
            "0",
            "--log-level",
            "error",
            *arguments,
        ],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    [line] = [line for line in run.stderr.splitlines() if " INFO " not in line]
    assert line.startswith("photic: error: ")
    return line


def test_a_port_in_use(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        line = refusal("--port", port, folder=tmp_path)
    assert f"127.0.0.1 port {port}: the port is in use" in line


def test_a_port_in_use_by_another_photic(tmp_path, running):
    line = refusal("--port", str(running.address[1]), folder=tmp_path)
    assert "in use" in line


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--port", "70000"], ["server.port", "70000", "65535"]),
        (["--host", "no-such-host.invalid"], ["no-such-host.invalid"]),
        (["--set", "body.max_bites=1"], ["max_bites", "max_bytes"]),
        (["--set", "body.max_bytes=-1"], ["body.max_bytes", "-1"]),
        (["--config", "missing.toml"], ["missing.toml"]),
        (["--model-repository", "missing"], ["missing"]),
        (["--default-model", "other"], ["other", "efficientnet-lite0"]),
        (["--embedded", "false"], ["nothing to serve"]),
        (["missing.onnx", "--recipe", "imagenet", "--labels", "imagenet-1k"], ["missing.onnx"]),
        (["model.onnx"], ["--recipe"]),
        (["--recipe", "imagenet"], ["--recipe"]),
    ],
)
def test_wrong_settings_and_missing_files(tmp_path, arguments, says):
    line = refusal(*arguments, folder=tmp_path)
    assert all(words in line for words in says), line


def test_a_wrong_variable(tmp_path):
    line = refusal(folder=tmp_path, environment={"PHOTIC_SERVER_BACKLOG": "lots"})
    assert "PHOTIC_SERVER_BACKLOG" in line


def test_a_wrong_settings_file(tmp_path):
    (tmp_path / "photic.toml").write_text("[server]\nport = 'http'\n")
    assert "photic.toml" in refusal(folder=tmp_path).replace("\\", "/")


def test_a_broken_model(tmp_path):
    (tmp_path / "broken.onnx").write_bytes(EMBEDDED.path.read_bytes()[:100_000])
    line = refusal(
        "broken.onnx", "--recipe", "imagenet", "--labels", "imagenet-1k", folder=tmp_path
    )
    assert "broken.onnx" in line


def test_labels_that_do_not_match_the_output(tmp_path):
    (tmp_path / "labels.txt").write_text("cat\ndog\n")
    arguments = [str(EMBEDDED.path), "--recipe", "imagenet", "--labels", "labels.txt"]
    line = refusal(*arguments, folder=tmp_path)
    assert "2" in line
    assert "1000" in line


def test_a_recipe_that_does_not_fit_the_input(tmp_path):
    recipe = tmp_path / "model.toml"
    recipe.write_text(TOML.read_text().replace("[224, 224]", "[192, 160]"))
    arguments = [str(EMBEDDED.path), "--recipe", str(recipe), "--labels", "imagenet-1k"]
    line = refusal(*arguments, folder=tmp_path)
    assert "224" in line
    assert "160" in line


def test_a_bare_model_is_served_and_becomes_the_default(tmp_path, jpegs):
    shutil.copy(EMBEDDED.path, tmp_path / "mine.onnx")
    arguments = ["mine.onnx", "--recipe", str(TOML), "--labels", "imagenet-1k"]
    with RunningServer(*arguments, folder=tmp_path) as server:
        answer = httpx.post(f"{server.url}/v1/predict", content=jpegs["chelsea"]).json()
        assert (answer["model"], answer["predictions"][0]["index"]) == ("mine", 282)
        names = [m["name"] for m in httpx.get(f"{server.url}/v1/models").json()["models"]]
        assert names == ["efficientnet-lite0", "mine"]
        assert server.stop() == 0


def test_a_repository_is_served_beside_the_embedded_model(tmp_path, jpegs):
    for version in ("1", "3"):
        (tmp_path / "models" / "ours" / version).mkdir(parents=True)
        target = tmp_path / "models" / "ours" / version / "model.onnx"
        target.symlink_to(EMBEDDED.path)
    for name in ("model.toml", "labels.txt"):
        shutil.copy(TOML.parent / name, tmp_path / "models" / "ours" / name)
    with RunningServer("--model-repository", "models", folder=tmp_path) as server:
        listed = httpx.get(f"{server.url}/v1/models").json()
        assert listed["default"] == "ours"
        for path, model, version in (
            ("/v1/predict", "ours", 3),
            ("/v1/models/ours/versions/1/predict", "ours", 1),
            ("/v1/models/efficientnet-lite0/predict", "efficientnet-lite0", 1),
        ):
            answer = httpx.post(f"{server.url}{path}", content=jpegs["coffee"]).json()
            assert (answer["model"], answer["version"]) == (model, version)
            assert answer["predictions"][0]["index"] == 967
        assert server.stop() == 0


def test_the_start_up_line_has_the_real_url(running):
    assert running.address[1] != 0
    assert httpx.get(f"{running.url}/health/ready").json() == {"status": "ready"}
