#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sorts sources into groups that may be compiled as one file, for builds made once from nothing. Files in which one
uses a name that the other declares for itself alone do not come together, so no source needs to know of this.

usage: tools/unity.py ROOT SOURCE...    prints "GROUP SOURCE" lines; a source without a line stays alone
"""
import functools
import pathlib
import re
import sys

MOST = 10

NOISE = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*(?:.|\n)*?\*/')
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
MACRO = re.compile(r"^\s*#\s*define\s+(\w+)", re.M)
UNSCOPED_ENUM = re.compile(r"\benum\b(?!\s+(?:class|struct)\b)[^;{}()]*\{([^{}]*)\}")
KEYWORDS = set("""alignas auto bool char class const constexpr consteval constinit double enum explicit extern float if inline
int long namespace noexcept operator requires short signed sizeof static struct template thread_local typename union
unsigned using void volatile int64_t size_t uint8_t""".split())


def code(text):
    return NOISE.sub(lambda m: '""' if m[0][0] in "R\"" else "0" if m[0][0] == "'" else " ", text)


def words(text):
    """The words that a name at namespace scope could be meant by."""
    return frozenset(WORD.findall(re.sub(r"(?:\.|->|\b(?:std|json|ranges|mp11|fmt)::)\s*\w+", " ", text)))


def unqualified(text):
    """The words that mean what is looked up from where they stand."""
    return frozenset(re.findall(r"(?<!::)\b[A-Za-z_]\w*", re.sub(r"(?:\.|->)\s*\w+", " ", text)))


def brought(text):
    """Names that the file brings to where all of it sees them, each with what it means there."""
    names = set()
    for said in re.findall(r"^using\s+([\w:\s,]+);", text, re.M):
        for name in said.split(","):
            name = name.strip().removeprefix("::")
            if "::" in name:
                names.add((name.rsplit("::", 1)[1], name))
    return frozenset(names)


def head_names(head):
    """The name a declaration at namespace scope gives to something, from the text before its body, value or end."""
    head = re.sub(r"\[\[.*?\]\]|alignas\(.*?\)", " ", head)
    if match := re.match(r"\s*(?:template\s*<.*>\s*)?(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(\w+)", head, re.S):
        return {match[1]}
    if match := re.match(r"\s*(?:template\s*<.*>\s*)?using\s+(\w+)\s*=", head, re.S):
        return {match[1]}
    if re.match(r"\s*(using|namespace)\b", head):  # may be said again
        return set()
    names, angles, brackets, value, previous = set(), 0, 0, False, ""
    for token in re.findall(r"[A-Za-z_]\w*|::|[<>(){}\[\]=;,~]", head + ";"):
        if value:  # what stands behind "=" names nothing; another variable may follow
            brackets += (token in "([{") - (token in ")]}")
            value = brackets > 0 or token != ","
        elif token in "<>":
            angles = max(0, angles + (1 if token == "<" else -1))
        elif angles == 0 and token in "([=;,":
            if WORD.fullmatch(previous) and previous not in KEYWORDS and not previous.isupper():
                names.add(previous)
            if token == "(":
                break
            value = token == "="
        previous = token
    return names


USE_OF_MACRO = re.compile(r"\s*[A-Z][A-Z0-9_]+\(\s*(\w*)[^()]*\)")


def own_names(head, stack):
    """The same, if no other file can mean it: what is hidden, and what is constant or a type or another name."""
    if macro := USE_OF_MACRO.match(head):  # it may declare what it is given, and what follows is a declaration of its own
        return {macro[1]} - {""} | own_names(head[macro.end():], stack)
    if "hidden" in stack or re.match(r"\s*(static|const|constexpr|using|typedef|template|struct|class|enum|union)\b", head):
        return head_names(head)
    return set()


def declared(text):
    """Names that the file declares at namespace scope."""
    names = set()
    stack, head = [], ""  # of each open brace: "" within a declaration, else "named" or "hidden" for a namespace
    for token in re.finditer(r"[{};]|[^{};]+", text):
        piece = token[0]
        outer = all(stack)
        if piece == "{":
            space = outer and re.search(r"\bnamespace\b([\w:\s]*)$|extern\s*\"\"\s*()$", head)
            if outer and not space:
                names |= own_names(head, stack)
            stack.append("" if not space else "named" if (space[1] or "").strip() else "hidden")
            head = "" if space or not outer else head
        elif piece == "}":
            closed = stack.pop() if stack else True
            if all(stack):
                head = "" if closed or re.search(r"\)|^\s*(class|struct|enum|union)\b", head) else head + " "
        elif piece == ";":
            if outer:
                names |= own_names(head, stack)
                head = ""
        elif outer:
            head += piece
    return names


class File:
    def __init__(self, root, path):
        text = pathlib.Path(path).read_text(errors="replace")
        bare = code(text)
        self.path = path
        self.words = words(bare)
        self.unqualified = unqualified(bare)
        self.macros = set(MACRO.findall(bare))
        self.headers = closure(root, text, pathlib.Path(path).parent)
        body = re.sub(r"^\s*#(?:[^\n\\]|\\\n|\\.)*", "", bare, flags=re.M)
        self.brought = brought(body)
        self.names = declared(body) | self.macros
        for values in UNSCOPED_ENUM.findall(body):
            self.names |= {name for value in values.split(",") for name in WORD.findall(value)[:1]}
        self.alone = bool(re.search(r"\busing\s+namespace\s+(?!std::\w*literals)", bare))


@functools.cache
def header(root, path):
    text = path.read_text(errors="replace")
    return words(code(text)), closure(root, text, path.parent), unqualified(code(text))


def closure(root, text, here):
    found = set()
    for name in INCLUDE.findall(text):
        for folder in (root / "src", root / "tests", here):
            if (path := folder / name).is_file():
                path = path.resolve()
                found |= {path} | header(root, path)[1]
                break
    return frozenset(found)


def clash(root, one, other):
    """Whether one of the two, or a header that it brings, uses a name that is the other's own."""
    def meets(names, file, known):
        return names & file.words or any(names & header(root, path)[0] for path in file.headers - known.headers)

    def changes(file, other):
        names = {name for name, meaning in file.brought - other.brought}
        return names & other.unqualified or any(names & header(root, path)[2] for path in other.headers - file.headers)

    return meets(one.names, other, one) or meets(other.names, one, other) or changes(one, other) or changes(other, one)


def main(root, paths):
    root = pathlib.Path(root)
    groups = []
    for path in sorted(paths):
        file = File(root, path)
        if file.alone:
            continue
        for group in groups:
            if len(group) < MOST and not any(clash(root, one, file) for one in group):
                group.append(file)
                break
        else:
            groups.append([file])
    for number, group in enumerate(groups):
        if len(group) > 1:
            for file in group:
                print(number, file.path)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
