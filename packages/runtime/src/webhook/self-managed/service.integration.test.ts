// Tests the Service of the fixture: a thousand connections must not exhaust the file descriptors of this process.
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { startService } from "./replicas.fixture.ts";

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

it("the Service of the fixture closes both ends of a connection after the caller has disconnected", async () => {
  // Like TLS, the endpoint sends a few bytes at the end.
  const endpoint = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    socket.write("answer");
    socket.on("end", () => void sleep(20).then(() => socket.end("goodbye")));
    socket.resume();
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const service = await startService();
  ended.push(
    () => service.close(),
    () => endpoint.close(),
  );
  service.endpoints.push((endpoint.address() as AddressInfo).port);
  for (let i = 0; i < 20; i++) {
    const caller = connect(service.port, "127.0.0.1");
    await once(caller, "data");
    caller.destroy();
  }
  await expect.poll(() => service.open()).toBe(0);
});
