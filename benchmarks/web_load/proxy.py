"""A proxy of TCP connections: each goes to the next server that answers. A process of its own, printed port first."""

import asyncio
import sys
from typing import Final

CHUNK: Final = 1 << 16


class Proxy:
    """Hands connections to servers in turn."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = ports
        self._next = 0

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection until either side ends it."""
        for _ in self._ports:
            self._next += 1
            try:
                up = await asyncio.open_connection("127.0.0.1", self._ports[self._next % len(self._ports)])
            except OSError:
                continue
            await asyncio.gather(_relay(reader, up[1]), _relay(up[0], writer))
            return
        writer.close()


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    except OSError:
        # One side is gone: the close below ends the other.
        pass
    finally:
        writer.close()


async def main() -> None:
    """Serve until the process is ended."""
    proxy = Proxy([int(port) for port in sys.argv[1:]])
    server = await asyncio.start_server(proxy.take, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
