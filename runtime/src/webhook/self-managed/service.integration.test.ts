// What stands for a Service in tests: a thousand callers that come and go must not use up this process's files.
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { startService } from "./replicas.fixture.ts";

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

it("closes both ends of a connection if its caller has gone, whatever the endpoint still sends", async () => {
  // As TLS does, it answers the end with a few bytes.
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
  for (let tries = 0; service.open() > 0 && tries < 50; tries++) await sleep(100);
  expect(service.open()).toBe(0);
});
