# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests as bytes, with what the answers cost; and the API as the server describes it."""
import http.client
import json
import time
import urllib.parse

KEPT_FOR = 30  # seconds between two requests; the server waits for 75
HANGS_AFTER = 90  # seconds; the server itself answers 503 after 60


class Operation:
    def __init__(self, method, path, described):
        self.method, self.path = method.upper(), path
        self.name = f"{self.method} {path}"
        self.path_parameters = [p["name"] for p in described["parameters"] if p["in"] == "path"]
        fields = {p["name"].removesuffix("[]"): p["schema"] for p in described["parameters"] if p["in"] == "query"}
        for content in described.get("requestBody", {}).get("content", {}).values():
            fields |= content["schema"]["properties"]
        self.fields = fields
        self.lists = [name for name, schema in fields.items() if schema.get("type") == "array"]

    def at(self, ids):
        """The path with its parameters filled."""
        path = self.path
        for name in self.path_parameters:
            path = path.replace("{%s}" % name, urllib.parse.quote(str(ids), safe=""))
        return path


class Wire:
    def __init__(self, server):
        self.port = server.port
        self.sent = 0
        self.slowest = (0.0, "")
        self.connections = {}
        description = json.loads(self.ask(None, "GET", "/api/openapi.json")[1])
        self.operations = [Operation(method, path, described)
                           for path, methods in description["paths"].items() if path.startswith("/api/")
                           for method, described in methods.items()]

    def ask(self, token, method, path, body=None, kind="application/x-www-form-urlencoded", name=None):
        """(status, body); status 0 when the server hung up without a word."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers["Content-Type"] = kind
        begun = time.monotonic()
        self.sent += 1
        connection = self.connection_of(token)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            endless = (response.getheader("Content-Type") or "").startswith("text/event-stream")
            answer = response.status, response.read(1) if endless else response.read()
            if endless:  # a stream that goes on until one of both ends it
                connection.close()
            elif not response.will_close:
                self.connections[token] = connection, time.monotonic()
        except (BrokenPipeError, ConnectionResetError):
            answer = self.farewell(connection)
        except (http.client.RemoteDisconnected, http.client.BadStatusLine):
            answer = 0, b""
        took = time.monotonic() - begun
        if took > self.slowest[0]:
            self.slowest = took, name or f"{method} {path[:60]}"
        return answer

    def connection_of(self, token):
        """The last one that this person used, unless the server may have closed it since."""
        connection, used = self.connections.pop(token, (None, 0))
        if connection and time.monotonic() < used + KEPT_FOR:
            return connection
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANGS_AFTER)

    @staticmethod
    def farewell(connection):
        """The answer to a body that the server did not want to the end."""
        if not connection.sock:  # it hung up
            return 0, b""
        try:
            response = connection.response_class(connection.sock, method="POST")
            response.begin()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()
