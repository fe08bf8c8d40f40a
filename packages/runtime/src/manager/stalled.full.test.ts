// A process that isn't scheduled for a while reads the data of its clients late. It must not reject them for that.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Attacked, reviewBodies, startManager } from "./under-attack.fixture.ts";

let manager: Attacked;
beforeAll(async () => {
  manager = await startManager();
});
afterAll(() => manager.stop());

const body = reviewBodies[0] ?? "";
const head = `POST /mutate?timeout=10s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

async function open(): Promise<TLSSocket> {
  const socket = connect({ port: manager.ports.webhook, host: "127.0.0.1", rejectUnauthorized: false });
  socket.on("error", () => {});
  await once(socket, "secureConnect");
  return socket;
}

/** Returns the start of the status line, or an empty string if the connection ends without a response. */
async function statusOf(socket: TLSSocket): Promise<string> {
  const [answer = ""] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [])]);
  socket.destroy();
  return String(answer).slice(0, 12);
}

describe("a manager whose process was stopped for 12 seconds", () => {
  const sent: Record<string, string> = {
    "a connection without a request": "",
    "half a head": head.slice(0, 40),
    "a head": head,
    "half a body": head + body.slice(0, 500),
  };
  it("responds to requests that were started before and completed during the stop", async () => {
    const answers = Object.entries(sent).map(async ([what, first]) => {
      const socket = await open();
      socket.write(first);
      await sleep(500);
      const answer = statusOf(socket);
      // The process is stopped by now.
      await sleep(500);
      socket.write((head + body).slice(first.length));
      return [what, await answer];
    });
    await sleep(700);
    process.kill(manager.pid, "SIGSTOP");
    await sleep(12_000);
    process.kill(manager.pid, "SIGCONT");
    const expected = Object.keys(sent).map((what) => [what, "HTTP/1.1 200"]);
    expect(await Promise.all(answers)).toEqual(expected);
  });
});

it("the webhook server keeps a connection that had no request for 15 seconds, as API servers expect", async () => {
  const socket = await open();
  await sleep(15_000);
  const answer = statusOf(socket);
  socket.write(head + body);
  expect(await answer).toBe("HTTP/1.1 200");
});
