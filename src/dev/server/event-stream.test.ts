import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { EventStream } from "./event-stream.ts";

/** Opens the stream, and returns what it sends at once. */
function received(stream: EventStream, lastId?: number): string[] {
  const texts: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    writableLength: 0,
    writeHead: () => {},
    write: (text: string) => texts.push(text),
    end: () => {},
  });
  const headers = lastId === undefined ? {} : { "last-event-id": String(lastId) };
  stream.open({ headers } as unknown as IncomingMessage, response as unknown as ServerResponse);
  stream.close();
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
