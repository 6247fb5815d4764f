"""On what, and how, it was measured."""

from bench.harness.results import Results
from bench.report.labels import label
from bench.report.markdown import section, table
from bench.report.selection import MEGAPIXELS, mix_of_role, mixes

__all__ = ["machine_line", "machine_section", "not_run_section", "versions_section"]


def machine_line(results: Results) -> str:
    """Two sentences, for a table that stands elsewhere."""
    here, how = results.fingerprint, results.settings
    present = mixes(results)
    sizes = [
        f"{megapixels} ({mix})"
        for role, megapixels in MEGAPIXELS.items()
        if (mix := mix_of_role(results, role)) in present
    ]
    photos = f"Photos of about {', '.join(sizes)} megapixels. " if sizes else ""
    return photos + (
        f"{here.cpus} CPUs of {here.cpu}, shared with the load generator; medians of {how.rounds} "
        f"rounds in which the servers take turns; commit {results.commit}, {results.started[:10]}."
    )


def machine_section(results: Results) -> str:
    """The machine's fingerprint and the run's settings."""
    here, how = results.fingerprint, results.settings
    photos = ", ".join(
        f"{mix} ({count} photos, SHA-256 {how.digests.get(mix, 'unknown')})"
        for mix, count in how.mixes.items()
    )
    rows = [
        ("CPU", f"{here.cpu}, {here.cpus} CPUs ({', '.join(here.flags)})"),
        ("memory", f"{here.memory_bytes / 2**30:.0f} GiB, huge pages: {here.huge_pages}"),
        ("system", f"{here.system}, Linux {here.kernel}, Python {here.python}"),
        ("packages", ", ".join(f"{name} {version}" for name, version in here.packages.items())),
        ("commit", f"{results.commit}, {results.started}"),
        ("load before", f"{here.load_1min:.2f}"),
        ("rounds", f"{how.rounds} of {how.seconds:g} s{' (--quick)' if how.quick else ''}"),
        ("photos", photos),
    ]
    return section("Machine and run", table(("", ""), rows, numbers=False))


def versions_section(results: Results) -> str:
    """What the servers were made of."""
    rows = [
        (label(server), ", ".join(f"{name} {version}" for name, version in versions.items()))
        for server, versions in results.versions.items()
    ]
    return section("Versions", table(("server", "packages"), rows, numbers=False)) if rows else ""


def not_run_section(results: Results) -> str:
    """What is missing, and why."""
    lines = [f"- {label(name)}: {why}" for name, why in results.not_run.items()]
    return section("Not run", "\n".join(lines)) if lines else ""
