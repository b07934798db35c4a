#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""Passes on what comes to a port, whose number it prints, to a socket in a folder and back. Stopped by a signal (SIGSTOP) it is
a network on which everything is lost while connections stay open.

usage: proxy.py SOCKET
"""
import asyncio
import sys


async def pass_on(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    try:
        there = await asyncio.open_unix_connection(sys.argv[1])
    except OSError:
        return writer.close()
    await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
