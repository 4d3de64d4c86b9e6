"""The bill of materials of a release, as CycloneDX 1.5 in JSON: which libraries are in its programs, in which versions.

It is made of the files THIRD-PARTY that are packed with the programs (scripts/dist/third-party, scripts/dist/cross), whose headings
name each package and its version when the program was built. The same files, version and time give the same bytes.
"""
import datetime
import json
import re
import urllib.parse
import uuid

# Package of Debian: its source package, what the library calls itself, its licence (SPDX).
LIBRARIES = {
    "libcli11-dev": ("cli11", "CLI11", "BSD-3-Clause"),
    "libfmt-dev": ("fmtlib", "fmt", "MIT"),
    "libexpected-dev": ("tl-expected", "tl-expected", "CC0-1.0"),
    "libsimdjson-dev": ("simdjson", "simdjson", "Apache-2.0"),
    "nlohmann-json3-dev": ("nlohmann-json3", "nlohmann-json", "MIT"),
    "libre2-dev": ("re2", "RE2", "BSD-3-Clause"),
    "libgraphviz-dev": ("graphviz", "Graphviz (cgraph, cdt)", "EPL-1.0"),
    "libutf8proc-dev": ("utf8proc", "utf8proc", "MIT"),
    "libxxhash-dev": ("xxhash", "xxHash", "BSD-2-Clause"),
    "zlib1g-dev": ("zlib", "zlib", "Zlib"),
    "libzstd-dev": ("libzstd", "Zstandard", "BSD-3-Clause"),
    "libjemalloc-dev": ("jemalloc", "jemalloc", "BSD-2-Clause"),
    "libsqlite3-dev": ("sqlite3", "SQLite", "blessing"),
    "libtomlplusplus-dev": ("tomlplusplus", "toml++", "MIT"),
    "libyaml-cpp-dev": ("yaml-cpp", "yaml-cpp", "MIT"),
    "gcc-12-base": ("gcc-12", "libstdc++ and libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "wasi-libc": ("wasi-libc", "wasi-libc", "Apache-2.0 WITH LLVM-exception"),
    "libc++-19-dev-wasm32": ("llvm-toolchain-19", "libc++", "Apache-2.0 WITH LLVM-exception"),
    "libclang-rt-19-dev-wasm32": ("llvm-toolchain-19", "compiler-rt", "Apache-2.0 WITH LLVM-exception"),
}
# What a package of npm contains, by the heading of its licence.
CONTAINED = {
    "libcxx": "Apache-2.0 WITH LLVM-exception",
    "libcxxabi": "Apache-2.0 WITH LLVM-exception",
    "libunwind": "Apache-2.0 WITH LLVM-exception",
    "libc/musl": "MIT",
}
HEADING = re.compile(r"^==== (\S+?),? (?:of )?(\S+) ====$", re.M)


class Unknown(Exception):
    """Something is in a program of which nothing is known."""


def licences_of(licence):
    return [{"expression": licence}] if " " in licence else [{"license": {"id": licence}}]


def quoted(text):
    return urllib.parse.quote(text, safe="")


def component_of(package, version):
    """The library of a heading."""
    if re.fullmatch(r"libboost[\d.]+-dev", package):  # its package is named by its version
        source, name, licence = package[3:-4], "Boost", "BSL-1.0"
    elif package in LIBRARIES:
        source, name, licence = LIBRARIES[package]
    elif package in CONTAINED and version.count("@") == 2:
        scope, _, release = version.rpartition("@")
        purl = f"pkg:npm/{quoted(scope).replace('%2F', '/')}@{quoted(release)}#lib/{package}"
        return {"type": "library", "bom-ref": purl, "name": package, "version": release,
                "licenses": licences_of(CONTAINED[package]), "purl": purl}
    else:
        raise Unknown(f"THIRD-PARTY names {package} {version}, and scripts/dist/bill_of_materials.py has no row for it")
    purl = f"pkg:deb/debian/{quoted(package)}@{quoted(version)}?upstream={quoted(source)}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "licenses": licences_of(licence), "purl": purl}


def text_of(version, epoch, homepage, third_party):
    """`third_party`: the text of the file of each platform. Unknown: a library has no row, or a file names none."""
    platforms, components = {}, {}
    for platform, text in third_party.items():
        headings = HEADING.findall(text)
        if not headings:
            raise Unknown(f"THIRD-PARTY of {platform} names no library; scripts/dist/third-party writes it")
        for package, of in headings:
            component = component_of(package, of)
            components[component["bom-ref"]] = component
            platforms.setdefault(component["bom-ref"], set()).add(platform)
    root = f"pkg:generic/xtrace@{quoted(version)}"
    listed = [{**components[ref], "properties": [{"name": "xtrace:platform", "value": platform} for platform in sorted(platforms[ref])]}
              for ref in sorted(components)]
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": root, "name": "xtrace", "version": version,
                          "licenses": licences_of("MIT"), "purl": root,
                          **({"externalReferences": [{"type": "website", "url": homepage}]} if homepage else {})}},
        "components": listed,
        "dependencies": [{"ref": root, "dependsOn": sorted(components)}] + [{"ref": ref, "dependsOn": []} for ref in sorted(components)],
        # All that is in the programs; the C library of the system, which those for glibc and macOS use, is not.
        "compositions": [{"aggregate": "complete", "dependencies": [root]}],
    }
    content = json.dumps(bill, sort_keys=True)
    bill["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, root + content)}"
    return json.dumps(bill, indent=2) + "\n"
