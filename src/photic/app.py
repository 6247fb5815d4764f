"""The composition root: builds every object of the server and wires them together."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from photic.cpu_budget import CpuPlan, plan_cpus
from photic.errors import SettingsError
from photic.inference import huge_pages
from photic.models.bundle import ModelBundle
from photic.models.repository import ModelRepository, embedded_repository
from photic.serving.engine import Engine, load_engine, open_bare
from photic.serving.service import InferenceService
from photic.settings import ModelSettings, Settings
from photic.settings_loader import LoadedSettings
from photic.telemetry.logging import configure_logging
from photic.thread_names import name_new_threads
from photic.web.application import create_application
from photic.web.lifecycle import Lifecycle
from photic.web.listener import bind, url_of
from photic.web.server import serve_until_signal

__all__ = ["BareModel", "serve"]

_log = logging.getLogger(__name__)


class BareModel(Struct, frozen=True):
    """An ONNX file without a repository, as ``photic serve MODEL.onnx`` names it."""

    path: Path
    recipe: str
    labels: str | None


def serve(
    loaded: LoadedSettings,
    *,
    bare: BareModel | None,
    on_listening: Callable[[str, str], None],
) -> bool:
    """Load the models and serve them over HTTP until SIGTERM or SIGINT; blocks.

    Args:
        loaded: The effective settings.
        bare: A single model to serve beside those of the settings.
        on_listening: Called with the server's URL and the default model's name when clients can
            connect.

    Returns:
        Whether all requests in flight could finish.

    Raises:
        ConfigurationError: A port in use, a missing or broken model …; one line, before serving.
    """
    settings = loaded.settings
    configure_logging(settings.logging)
    # Bound first: a port in use is the quickest to find out. It listens when the models are warm.
    with bind(settings.server.host, settings.server.port) as sock:
        url = url_of(sock)
        bundles, default = choose_models(settings.models, bare)
        plan = plan_cpus(settings.cpu, latency_threads=settings.inference.latency_threads)
        engines = _load_all(bundles, settings, plan)
        if settings.inference.huge_pages:
            huge_pages.collapse()
        service = InferenceService(engines, default=default, settings=settings, plan=plan)
        lifecycle = Lifecycle()
        service.start()
        try:
            finished = serve_until_signal(
                create_application(service, settings, lifecycle),
                sock,
                settings=settings.server,
                admission=service.admission,
                lifecycle=lifecycle,
                on_listening=lambda: on_listening(url, default),
            )
        finally:
            closed = service.close()
    return finished and closed


def choose_models(settings: ModelSettings, bare: BareModel | None) -> tuple[list[ModelBundle], str]:
    """All models to serve, and the name of the default one.

    The user's models hide an embedded one of the same name.

    Raises:
        ConfigurationError: There is none, one is broken, or the default is not among them.
    """
    own = list(_own_models(settings, bare))
    own_names = sorted({bundle.name for bundle in own})
    embedded = list(_all_bundles(embedded_repository())) if settings.embedded else []
    bundles = [*own, *(bundle for bundle in embedded if bundle.name not in own_names)]
    names = sorted({bundle.name for bundle in bundles})
    if not names:
        raise SettingsError("nothing to serve: models.embedded = false and no model is given")
    return bundles, _default_name(settings, own_names, names)


def _own_models(settings: ModelSettings, bare: BareModel | None) -> Iterator[ModelBundle]:
    taken: set[str] = set()
    if settings.repository:
        for bundle in _all_bundles(ModelRepository.open(Path(settings.repository))):
            taken.add(bundle.name)
            yield bundle
    if bare is not None:
        bundle = open_bare(bare.path, recipe=bare.recipe, labels=bare.labels)
        if bundle.name in taken:
            raise SettingsError(
                f"{bare.path}: models.repository = {settings.repository} has a model "
                f"{bundle.name!r}, too; rename the file"
            )
        yield bundle


def _all_bundles(repository: ModelRepository) -> Iterator[ModelBundle]:
    for name in repository.names():
        for version in repository.versions(name):
            yield repository.bundle(name, version)


def _default_name(settings: ModelSettings, own: Sequence[str], names: Sequence[str]) -> str:
    """``models.default``; else the only one of the user's; else the embedded one."""
    if settings.default:
        if settings.default not in names:
            raise SettingsError(
                f"models.default = {settings.default!r} is not served; there is: {', '.join(names)}"
            )
        return settings.default
    candidates = own if len(own) == 1 else [name for name in names if name not in own]
    if len(candidates) != 1:
        raise SettingsError(
            "models.default (--default-model) is not set, and there are several models: "
            + ", ".join(names)
        )
    return candidates[0]


def _log_plan(plan: CpuPlan) -> None:
    _log.info("CPU plan: %s", plan.summary)
    for warning in plan.warnings:
        _log.warning("%s", warning)
    if plan.replicas:
        _log.info(
            "one event loop may not feed %d workers; `photic config` shows how to run %d processes",
            plan.workers,
            len(plan.replicas),
        )


def _load_all(bundles: Sequence[ModelBundle], settings: Settings, plan: CpuPlan) -> list[Engine]:
    """Load every model; log only then, so that an error is the one line that is seen."""
    engines: list[Engine] = []
    durations_ms: list[int] = []
    with name_new_threads("photic-ort"):
        for bundle in bundles:
            begin_ns = time.monotonic_ns()
            engines.append(load_engine(bundle, settings, plan))
            durations_ms.append((time.monotonic_ns() - begin_ns) // 1_000_000)
    _log_plan(plan)
    for engine, duration_ms in zip(engines, durations_ms, strict=True):
        _log.info(
            "model %s version %d (%s) loaded and warmed up in %d ms, batches of %d",
            engine.bundle.name,
            engine.bundle.version,
            engine.bundle.variant,
            duration_ms,
            engine.preferred_batch,
        )
    return engines
