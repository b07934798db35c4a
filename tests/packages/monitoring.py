# SPDX-License-Identifier: AGPL-3.0-or-later
"""What examples/ has for Prometheus and Grafana, held against a server: they ask for nothing that it does not say."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crash"))

from proxies import certificate, free_port  # noqa: E402
from server import Client, Server, within  # noqa: E402
from systems import Missing  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
GIVEN = {"up"}  # by Prometheus itself


def names_in(expression):
    """Of metrics, without the labels by which they are chosen."""
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", expression)
    return set(re.findall(r"\b(?:dunlin|process|up)\w*\b(?!\s*\()", bare))


def labels_in(expression):
    """{(metric, label)...}"""
    names = names_in(expression)
    chosen = {(name, label) for name, choice in re.findall(r"(\w+)\{([^}]*)\}", expression) for label in re.findall(r"(\w+)\s*[=!]", choice)}
    summed = {(name, label) for labels in re.findall(r"\bby \(([^)]*)\)", expression) for label in re.findall(r"\w+", labels) for name in names}
    return {(name, label) for name, label in chosen | summed if label not in ("instance", "job")}


def expressions():
    """[(where it stands, expression)...]"""
    rules = (EXAMPLES / "alerts.yml").read_text()
    alerts = re.findall(r"- alert: (\w+)\n\s+expr: (?:>-\n((?:\s{10,}.*\n)+)|(.*))", rules)
    board = json.loads((EXAMPLES / "grafana.json").read_text())
    return [(name, folded or line) for name, folded, line in alerts] + [
        (panel["title"], target["expr"]) for panel in board["panels"] for target in panel["targets"]]


def promtool(*words):
    program = shutil.which("promtool")
    if not program:
        raise Missing("promtool is not installed (Debian's package prometheus)")
    done = subprocess.run([program, *map(str, words)], text=True, capture_output=True)
    return [] if done.returncode == 0 else [done.stdout + done.stderr]


def said(folder):
    """{metric: {label...}} of a server that does all there is."""
    files, https = certificate(folder, "localhost"), free_port()
    (folder / "data").mkdir()
    (folder / "data/dunlin.toml").write_text(f'backup_to = "{folder}/backup"\ntls_listen = ["127.0.0.1:{https}"]\n'
                                             f'tls_cert = "{files}/fullchain.pem"\ntls_key = "{files}/privkey.pem"\n')
    (folder / "backup").mkdir()
    server = Server(folder, None)
    try:
        server.run("account", "create", "alice", "--email", "alice@example.org", "--confirmed")
        Client(server.port, server.run("token", "create", "alice", "--scopes", "read write")).post("/api/v1/statuses", {"status": "hello"})
        within(30, lambda: server.metric("dunlin_backup_log_timestamp_seconds"))
        text = urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=20).read().decode()
    finally:
        server.kill()
    found = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? ", text, re.M):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    (folder / "page").write_text(text)
    return found, text


def examples():
    """[(what is checked, [problem...])...]"""
    with tempfile.TemporaryDirectory(prefix="dunlin-monitoring-") as name:
        found, text = said(pathlib.Path(name))
    asked = expressions()
    missing = [f"{where} asks for {metric}" for where, expression in asked for metric in sorted(names_in(expression) - GIVEN - set(found))]
    labels = [f"{where} asks for {metric} by {label}" for where, expression in asked for metric, label in sorted(labels_in(expression))
              if metric in found and label not in found[metric]]
    lint = subprocess.run([shutil.which("promtool") or "false", "check", "metrics"], input=text, text=True, capture_output=True)
    guide = (EXAMPLES.parent / "docs/operating/monitoring.md").read_text()
    alerts = re.findall(r"- alert: (\w+)", (EXAMPLES / "alerts.yml").read_text())
    return [
        ("what alerts and the board ask for is there", missing + labels + ([] if len(asked) > 30 else ["they were not found"])),
        ("the guide says what to do at each alert", [f"{alert} is not in it" for alert in alerts if f"`{alert}`" not in guide]),
        ("alerts are read by Prometheus", promtool("check", "rules", EXAMPLES / "alerts.yml")),
        ("alerts call somebody when they should", promtool("test", "rules", EXAMPLES / "alerts_test.yml")),
        ("metrics are named as Prometheus wants", [] if lint.returncode == 0 else [lint.stdout + lint.stderr]),
    ]
