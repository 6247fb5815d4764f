"""Every tunable of Photic: its name, default, unit and range. Nothing else holds a default."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = [
    "AdmissionSettings",
    "BatchingSettings",
    "BodySettings",
    "CpuSettings",
    "DecodeSettings",
    "ImageFormat",
    "InferenceSettings",
    "LoggingSettings",
    "ModelSettings",
    "ServerSettings",
    "Settings",
]

MiB = 1024 * 1024

LARGEST = 1_000_000_000_000  # a terabyte, or 32 years of milliseconds: still 64 bits in nanoseconds

Natural = Annotated[int, Meta(ge=0, le=LARGEST)]
Positive = Annotated[int, Meta(ge=1, le=LARGEST)]
Port = Annotated[int, Meta(ge=0, le=65_535)]
ImageFormat = Literal["png", "webp", "gif", "bmp", "tiff", "avif"]


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all sections: frozen, and strict about unknown names."""


class ServerSettings(Section, frozen=True, kw_only=True):
    """The listener and the life cycle of the process."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: Port = 8000
    """Port to listen on; 0 picks a free one."""
    backlog: Annotated[int, Meta(ge=1, le=65_535)] = 4_096
    """Connections that may be open or waiting; Granian's back-pressure counts idle ones too."""
    header_timeout_ms: Positive = 30_000
    """How long a client may take to send a request's headers, idle time before them included."""
    drain_grace_ms: Natural = 0
    """How long after SIGTERM readiness says 503 with the listener still open (Kubernetes: 5000)."""
    drain_timeout_ms: Positive = 20_000
    """How long requests in flight may take to finish once no more come in, and workers to end."""


class AdmissionSettings(Section, frozen=True, kw_only=True):
    """What is let in, decided on the headers."""

    max_in_flight: Natural = 0
    """Requests between admission and answer; 0 means 32 for each worker."""
    max_in_flight_bytes: Positive = 256 * MiB
    """Bytes of all bodies in flight."""
    deadline_ms: Positive = 2_000
    """Deadline of a request that names none."""
    max_deadline_ms: Positive = 60_000
    """The longest deadline that ``X-Request-Timeout-Ms`` may ask for."""
    retry_after_s: Positive = 1
    """What ``Retry-After`` says on 429 and 503."""


class BodySettings(Section, frozen=True, kw_only=True):
    """Limits of a request's body."""

    max_bytes: Positive = 20 * MiB
    """The largest body, raw or multipart."""
    timeout_ms: Positive = 10_000
    """How long the whole body may take to arrive."""
    stall_ms: Positive = 250
    """How long a body may pause before it gives way to a new request when all slots are taken."""
    linger_ms: Natural = 1_000
    """How long to go on reading a refused body, so that the client sees the answer; 0: not."""
    max_images: Positive = 16
    """The most images in one multipart body."""


class DecodeSettings(Section, frozen=True, kw_only=True):
    """Limits of one image, enforced before the memory or the time is spent."""

    max_pixels: Positive = 50_000_000
    """Width x height that the header may declare."""
    max_side: Annotated[int, Meta(ge=1, le=65_500)] = 65_500
    """Width or height that the header may declare."""
    max_scans: Annotated[int, Meta(ge=1, le=1_000_000)] = 100
    """Scans of a progressive or non-interleaved file; cameras and encoders write 1 to 15."""
    max_scan_pixels: Positive = 500_000_000
    """Pixels x scans of one file."""
    time_base_ms: Natural = 100
    """CPU time any JPEG may take to decode; ``time_per_…`` add to it, ``max_time_ms`` caps it."""
    time_per_megabyte_ms: Natural = 40
    """CPU time on top of that for each MB of the file."""
    time_per_megapixel_ms: Natural = 10
    """CPU time on top of that for each megapixel; twice this for a file of several scans."""
    max_time_ms: Positive = 1_000
    """The most CPU time that a JPEG may take to decode, whatever its size."""
    max_memory_bytes: Positive = 300_000_000
    """Memory that decoding one JPEG may take."""
    max_total_memory_bytes: Positive = 600_000_000
    """Memory of all JPEG decodes of the process; one that finds too little left waits for it."""
    truncated: Literal["reject", "accept"] = "reject"
    """What to do with a JPEG whose image data ends early."""
    formats: tuple[ImageFormat, ...] = ("png", "webp")
    """Formats beside JPEG, decoded by Pillow."""
    max_other_pixels: Positive = 12_000_000
    """Pixels of an image in one of ``formats``, and of all such images that are decoded at once."""


class BatchingSettings(Section, frozen=True, kw_only=True):
    """How requests become batches."""

    preferred_batch: Annotated[int, Meta(ge=1, le=1_024)] = 1
    """Rows that leave together when there is backlog; above 1 only where a measurement gained."""
    max_queue_delay_ms: Natural = 0
    """How long a ready row may wait for company while a worker is idle; 0: not at all."""


class InferenceSettings(Section, frozen=True, kw_only=True):
    """How ONNX Runtime is used."""

    latency_threads: Annotated[int, Meta(ge=0, le=1_024)] = 0
    """Threads of the extra session for a lone request; 0: as planned; 1: none."""
    huge_pages: bool = True
    """Whether the server moves the memory of its models to huge pages (Linux 6.1) at start-up."""


class CpuSettings(Section, frozen=True, kw_only=True):
    """The share of the machine that Photic may use."""

    cpus: Annotated[float, Meta(ge=0, le=1_024)] = 0.0
    """CPUs to plan for; 0 takes them from the affinity mask and the cgroup quota."""


class ModelSettings(Section, frozen=True, kw_only=True):
    """Which models are served."""

    repository: str = ""
    """Folder of the user's model repository; empty: only the embedded model."""
    embedded: bool = True
    """Whether the embedded model is served too."""
    default: str = ""
    """Model behind ``/v1/predict``; empty: the only one of the user's, else the embedded one."""
    top_k: Positive = 5
    """Predictions in an answer when the request does not say."""


class LoggingSettings(Section, frozen=True, kw_only=True):
    """What is written to stderr."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    """The least severe message that is written."""


class Settings(Section, frozen=True, kw_only=True):
    """All sections."""

    server: ServerSettings = ServerSettings()
    admission: AdmissionSettings = AdmissionSettings()
    body: BodySettings = BodySettings()
    decode: DecodeSettings = DecodeSettings()
    batching: BatchingSettings = BatchingSettings()
    inference: InferenceSettings = InferenceSettings()
    cpu: CpuSettings = CpuSettings()
    models: ModelSettings = ModelSettings()
    logging: LoggingSettings = LoggingSettings()
