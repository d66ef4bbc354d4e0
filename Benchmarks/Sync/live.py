"""Measures the devices that listen to a sync server, each by a request that the server holds.

    live.py <port> <process> <token> <metrics token> <idle connections> <listeners>

Prints how many connections were held at once, the memory of the server's process with them, and how long after a push the
listeners of its zone have the news.
"""
import asyncio, base64, json, os, resource, sys, time

port, process, token, metrics, idle, listeners = sys.argv[1:7]
device = base64.b64encode(os.urandom(16)).decode()


def request(method, path, body=None, bearer=token):
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {bearer}\r\nAccept: application/json\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data


async def answer(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
    return head.split(b" ", 2)[1], await reader.readexactly(length)


class Connection:
    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", int(port))
        return self

    def send(self, *what):
        self.writer.write(request(*what))

    async def ask(self, *what):
        self.send(*what)
        status, body = await answer(self.reader)
        if status != b"200":
            sys.exit(f"live.py: {what[:2]} got {status.decode()} {body.decode()}")
        return body

    async def listen(self, heard):
        """Listens until the connection ends, and notes when each number of the zone was heard of."""
        number = 0
        try:
            while True:
                self.send("GET", f"/v1/live?zone=Bench&wait=60&after={number}")
                status, body = await answer(self.reader)
                if status == b"503":
                    # More ask at once than the server reads for. Devices come back later, too.
                    await asyncio.sleep(1)
                    continue
                if status != b"200":
                    sys.exit(f"live.py: a listener got {status.decode()} {body.decode()}")
                found = json.loads(body)["zones"][0]["sequence"]
                if found > number:
                    number = found
                    heard.setdefault(number, []).append(time.monotonic())
        except (asyncio.IncompleteReadError, ConnectionError):
            pass


async def live(asker):
    for line in (await asker.ask("GET", "/metrics", None, metrics)).decode().splitlines():
        if line.startswith("syncd_live_connections "):
            return int(line.split()[1])
    return 0


async def held(asker, count):
    while await live(asker) < count:
        await asyncio.sleep(0.05)


def memory():
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmRSS"))


async def push(asker, epoch, number, previous):
    stamp = int(time.time() * 1000) << 16
    item = base64.b64encode(os.urandom(16)).decode()
    change = [number, {"$bytes": item}, "Item", [stamp, {"$bytes": device}], None, False, 0, 1, 0]
    body = {"verb": "push", "epoch": epoch, "replica": {"$bytes": device}, "previous": {"$bytes": previous}, "changes": [change]}
    return json.loads(await asker.ask("POST", "/v1/zones/Bench/push", body))["push"]


async def main():
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    asker = await Connection().open()
    entity = {"name": "Item", "parent": None, "properties": [], "unique": [], "info": {}}
    await asker.ask("POST", "/v1/hello", {"replica": None, "name": "", "model": {"entities": [entity]}})
    epoch = json.loads(await asker.ask("GET", "/v1/live?zone=Bench&wait=0"))["zones"][0]["epoch"]
    before = memory()
    connections, tasks, heard = [], [], {}
    while len(connections) < int(idle):
        batch = await asyncio.gather(*(Connection().open() for _ in range(min(100, int(idle) - len(connections)))))
        connections += batch
        tasks += [asyncio.create_task(connection.listen(heard)) for connection in batch]
    await held(asker, len(connections))
    after = memory()
    print(f"| idle connections that listen | {await live(asker)} |")
    print(f"| memory of the process without and with them, MiB | {before} to {after} |")
    for connection in connections[int(listeners):]:
        connection.writer.close()
    del connections[int(listeners):]
    previous, times = "", []
    for number in range(20):
        await held(asker, len(connections))
        start = time.monotonic()
        pushed = await push(asker, epoch, number, previous)
        while len(heard.get(pushed["sequence"], [])) < len(connections):
            await asyncio.sleep(0.005)
        times += [moment - start for moment in heard[pushed["sequence"]]]
        previous = pushed["receipt"]["$bytes"]
    times.sort()
    half, late = (round(times[int(len(times) * share)] * 1000) for share in (0.5, 0.99))
    print(f"| push to news at {len(connections)} listeners, ms: half, 99 of 100 | {half}, {late} |")


asyncio.run(main())
