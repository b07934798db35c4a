# SPDX-License-Identifier: AGPL-3.0-or-later
"""What tools/check asks of the web client: shapes, sizes, layers, texts, and that dist/ was built of what stands in src/."""
import gzip
import hashlib
import json
import pathlib
import re
import statistics

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLIENT = ROOT / "web/client"
LOCALES = ROOT / "web/locales"

MAX_LINES = 300
MAX_MEDIAN = 100
HOME_JS, ALL_JS, LAZY_JS, CSS, CORE_TEXTS = 60_000, 260_000, 40_000, 14_000, 6_000
HOME_FILES = 6


def sources():
    return sorted(p for p in (CLIENT / "src").rglob("*") if p.suffix in (".ts", ".svelte"))


def generated(path):
    return path.name in ("entities.ts", "messages.ts") and path.parent.name == "base"


def shapes():
    ours = [p for p in sources() if not generated(p)]
    lengths = {p: len(p.read_text().splitlines()) for p in ours}
    for path, lines in lengths.items():
        if lines > MAX_LINES:
            yield f"{path.relative_to(ROOT)} has {lines} lines; at most {MAX_LINES}"
    if lengths and statistics.median(lengths.values()) > MAX_MEDIAN:
        yield f"half of the client's files have over {statistics.median(lengths.values()):.0f} lines; at most {MAX_MEDIAN}"
    for path in ours:
        text, name = path.read_text(), path.relative_to(ROOT)
        if "{@html" in text:
            yield f"{name}: no {{@html}}"
        if "innerHTML" in re.sub(r"//.*", "", text) and path.name != "content.ts":
            yield f"{name}: innerHTML belongs to content.ts alone"
        if path.suffix == ".svelte" and "SPDX-License-Identifier" not in text[:200]:
            yield f"{name}: the first line lacks the licence"


def layers(order):
    """`order`: the folders of src/, each of which may import those before it. Pages come by app/routes.ts only."""
    for path in sources():
        inside = path.relative_to(CLIENT / "src")
        if len(inside.parts) < 2:
            continue
        here = inside.parts[0]
        if here not in order:
            yield f"web/client/src/{here}: missing under [client] in docs/layers.txt"
            continue
        for target in re.findall(r"""(?:from|import\()\s*'(\.[^']+)'""", path.read_text()):
            there = (path.parent / target).resolve().relative_to(CLIENT / "src").parts[0]
            if there in order and order.index(there) > order.index(here):
                yield f"{path.relative_to(ROOT)} may not import {target}"
            if re.search(r"\wPage\.svelte$", target) and inside.as_posix() != "app/routes.ts":
                yield f"{path.relative_to(ROOT)} imports a page: only app/routes.ts may"


def source_hash():
    parts = ["src", "build", "package-lock.json", "vite.config.ts", "svelte.config.js", "tsconfig.json"]
    found = []
    for part in parts:
        path = CLIENT / part
        found += [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    found += [p for p in LOCALES.rglob("*") if p.is_file() and p.parent != LOCALES]
    found.append(ROOT / "web/languages.json")
    digest = hashlib.sha256()
    for path in sorted(found, key=lambda p: p.relative_to(ROOT).as_posix()):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def packed(path):
    return len(gzip.compress(path.read_bytes(), 9))


def built():
    dist = CLIENT / "dist"
    if not (dist / "routes.json").is_file():
        yield "web/client/dist is missing: run script/client"
        return
    if (dist / "SOURCE").read_text().strip() != source_hash():
        yield "web/client/dist was built of other sources: run script/client"
    table = json.loads((dist / "routes.json").read_text())
    imports = lambda name: re.findall(r"""from\s*"\./([^"]+\.js)\"""", (dist / name).read_text())
    home = {table["entry"], *table["languages"]["en"]}
    home.update(next(r for r in table["routes"] if r["path"] == "/home")["files"])
    while more := {i for name in home for i in imports(name)} - home:
        home |= more
    sizes = {p.name: packed(p) for p in dist.glob("*.js")}
    english = {name: size for name, size in sizes.items() if name.count(".") == 1 or ".en." in name}
    total = sum(sizes[name] for name in home)
    if total > HOME_JS:
        yield f"home needs {total} bytes of script; at most {HOME_JS}"
    if len(home) > HOME_FILES:
        yield f"home needs {len(home)} files of script; at most {HOME_FILES}"
    if sum(english.values()) > ALL_JS:
        yield f"all scripts are {sum(english.values())} bytes; at most {ALL_JS}"
    for name, size in english.items():
        if name not in home and size > LAZY_JS:
            yield f"{name} is {size} bytes; at most {LAZY_JS}"
    if packed(dist / table["style"]) > CSS:
        yield f"{table['style']} is {packed(dist / table['style'])} bytes; at most {CSS}"
    spoken = [language["code"] for language in json.loads((ROOT / "web/languages.json").read_text())]
    if sorted(table["languages"]) != sorted(spoken):
        yield f"the client is built of {', '.join(table['languages'])}; web/languages.json has {', '.join(spoken)}"
    for language, names in table["languages"].items():
        if names != [f"core.{language}.js"]:
            yield f"{', '.join(names)} would be loaded for {language}: a language loads alone"
        for name in names:
            if sizes[name] > CORE_TEXTS:
                yield f"{name} is {sizes[name]} bytes; at most {CORE_TEXTS}"


def texts():
    english = {p.stem: json.loads(p.read_text()) for p in sorted((LOCALES / "en").glob("*.json"))}
    used = "\n".join(p.read_text() for p in sources())
    seen = set()
    for area, words in english.items():
        for key in words:
            if key in seen:
                yield f"web/locales/en/{area}.json: {key} stands in two areas"
            seen.add(key)
            if not re.search(rf"\bt\.{key}\b", used):
                yield f"web/locales/en/{area}.json: nobody shows {key}"
