import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { EventStream } from "./event-stream.ts";

/** Opens the stream, and returns what it sends at once. */
function received(stream: EventStream, lastId?: number): string[] {
  const texts: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    writableLength: 0,
    writeHead: () => {},
    write: (text: string) => texts.push(text),
    end: (done: () => void) => done(),
  });
  const headers = lastId === undefined ? {} : { "last-event-id": String(lastId) };
  stream.open({ headers } as unknown as IncomingMessage, response as unknown as ServerResponse);
  void stream.close();
  return texts.slice(1);
}
const idOf = (text = "") => Number(/^id: (\d+)/.exec(text)?.[1]);

it("repeats what a client has missed", () => {
  const stream = new EventStream();
  const [reset] = received(stream);
  for (const line of ["one", "two"]) stream.send({ type: "log", line });
  expect(received(stream, idOf(reset)).map((text) => /"line":"(\w+)"/.exec(text)?.[1])).toEqual(["one", "two"]);
});

it("forgets large messages, so that its memory is bounded", () => {
  const stream = new EventStream();
  const [reset] = received(stream);
  const line = "x".repeat(1024 * 1024);
  for (let count = 0; count < 100; count++) stream.send({ type: "log", line });
  expect(received(stream, idOf(reset))[0]).toContain('"type":"reset"');
  expect(received(stream, idOf(reset) + 100)).toEqual([]);
  const kept = received(stream, idOf(reset) + 90);
  expect(kept).toHaveLength(10);
  expect(received(stream, idOf(reset) + 80)).toHaveLength(1);
});

it("sends the last message before it ends, also if the server is closed at once", async () => {
  const stream = new EventStream();
  const server = createServer((request, response) => stream.open(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`);
  // More than a socket holds, so that the client must read before the message is sent.
  for (let count = 0; count < 4; count++) stream.send({ type: "log", line: "x".repeat(1024 * 1024) });
  const closed = stream
    .close({ type: "dev", event: { event: "stopped", time: "2026-01-01T00:00:00.000Z", reason: "quit" } })
    .then(() => server.closeAllConnections());
  expect(await response.text()).toMatch(/"event":"stopped".*"reason":"quit"\}\}\n\n$/);
  await closed;
  server.close();
});
