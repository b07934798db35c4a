# SPDX-License-Identifier: AGPL-3.0-or-later
"""The kinds of hostile input, each tried on every endpoint."""
import json
import urllib.parse

BIG = 10 << 20
MANY = 100_000
WRONG = [None, True, -1, 0, 1.5, 10**30, "", " ", "\x00", "x", "1e400", "\ud800", "2026-13-45", [], [[]], [None], [1, "a", {}],
         {}, {"0": {"a": 1}}, {"a": [{"b": None}]}, "9223372036854775808", "-9223372036854775809", "<script>", "'; --"]
# What would end the test: signing up, and taking back the tokens it uses.
UNTOUCHED = ("/api/v1/accounts", "/api/v1/apps")


def wrong_values(operation):
    return [(name, value) for name in operation.fields for value in WRONG]


def form(name, value):
    text = json.dumps(value) if isinstance(value, (dict, list)) else str(value)
    return urllib.parse.urlencode({name: text}, errors="surrogatepass")


class Assault:
    def __init__(self, wire, alice):
        self.wire, self.alice = wire, alice
        self.problems = []

    def send(self, operation, ids, body=None, query=None, kind="application/x-www-form-urlencoded"):
        path = operation.at(ids) + (f"?{query}" if query else "")
        status, answer = self.wire.ask(self.alice, operation.method, path, body, kind, operation.name)
        if status >= 500 or status == 0 and len(body or "") < 1 << 20:
            self.problems.append(f"{operation.name} answered {status} {answer[:200]!r} to {(body or query or path)[:120]!r}")
        return status

    def fields(self, operation, ids, pairs):
        """As a form and as JSON, or in the query where there is no body."""
        for name, value in pairs:
            if operation.method in ("GET", "DELETE"):
                self.send(operation, ids, query=form(name, value))
            else:
                self.send(operation, ids, form(name, value))
                self.send(operation, ids, json.dumps({name: value}), kind="application/json")


def things_of(client):
    """Ids of everything that somebody has, and what they look like to their owner."""
    lists = ["lists", "filters", "statuses/scheduled", "scheduled_statuses", "conversations", "notifications", "bookmarks",
             "favourites", "follow_requests", "featured_tags", "blocks", "mutes", "endorsements", "markers"]
    seen = {}
    for name in lists:
        for version in ("v1", "v2"):
            status, answer = client("GET", f"/api/{version}/{name}")
            if status == 200:
                seen[f"{version}/{name}"] = json.loads(answer)
    ids = {entry["id"] for entries in seen.values() if isinstance(entries, list) for entry in entries
           if isinstance(entry, dict) and "id" in entry}
    return ids, seen


def settle(wire, bob):
    """Something of everything for Bob to have."""
    def ask(method, path, **values):
        status, answer = wire.ask(bob, method, path, urllib.parse.urlencode(values, doseq=True))
        return json.loads(answer) if status == 200 else {}
    status = ask("POST", "/api/v1/statuses", status="mine alone", visibility="direct").get("id")
    ask("POST", "/api/v1/statuses", status="everybody's #water", visibility="public")
    ask("POST", "/api/v1/statuses", status="later", scheduled_at="2099-01-01T00:00:00Z")
    ask("POST", "/api/v1/statuses", **{"status": "which?", "poll[options][]": ["a", "b"], "poll[expires_in]": 3600})
    ask("POST", "/api/v1/lists", title="mine")
    ask("POST", "/api/v2/filters", **{"title": "mine", "context[]": "home", "keywords_attributes[][keyword]": "cats"})
    ask("POST", "/api/v1/featured_tags", name="water")
    ask("POST", f"/api/v1/statuses/{status}/bookmark")
    return status


def assaults(wire, server):
    (_, alice), (account, bob) = server.account("alice"), server.account("bob")
    status = settle(wire, bob)

    def as_bob(method, path):
        return wire.ask(bob, method, path)

    ids, before = things_of(as_bob)
    operations = [o for o in wire.operations if not (o.method == "POST" and o.path in UNTOUCHED)]

    assault = Assault(wire, alice)
    for operation in operations:
        for one in [*sorted(ids), account, status, "0", "-1", "x", "%00", "9" * 40]:
            if operation.path_parameters:
                assault.send(operation, one, "" if operation.method not in ("GET", "DELETE") else None)
        for name in operation.fields:
            if name.endswith("id") or name.endswith("ids"):
                for one in sorted(ids):
                    assault.fields(operation, one, [(name, one), (name, [one])])
    yield "ids of somebody else's things are answered", assault.problems

    _, after = things_of(as_bob)
    kept = [name for name in before if name not in ("v1/notifications", "v2/notifications", "v1/follow_requests")]
    yield "and what is somebody else's is as it was", [
        f"{name} was {json.dumps(before[name])[:300]} and is {json.dumps(after.get(name))[:300]}"
        for name in kept if before[name] != after.get(name)]

    assault = Assault(wire, alice)
    for operation in operations:
        assault.fields(operation, account, wrong_values(operation))
    yield "values of every wrong type are answered", assault.problems

    assault = Assault(wire, alice)
    for operation in operations:
        for name in operation.lists:
            items = [str(n) for n in range(MANY)]
            if operation.method in ("GET", "DELETE"):
                assault.send(operation, account, query="&".join(f"{name}[]=1" for _ in range(MANY)))
            else:
                assault.send(operation, account, "&".join(f"{name}[]={n}" for n in items))
                assault.send(operation, account, json.dumps({name: items}), kind="application/json")
    yield "lists of 100,000 items are answered", assault.problems

    assault = Assault(wire, alice)
    for operation in operations:
        for name in operation.fields:
            if operation.method in ("GET", "DELETE"):
                assault.send(operation, account, query=f"{name}=" + "a" * BIG)
            else:
                assault.send(operation, account, f"{name}=" + "a" * BIG)
                assault.send(operation, account, f"{name}=" + "a" * 900_000)
    yield "values of 10 MB are answered", assault.problems
