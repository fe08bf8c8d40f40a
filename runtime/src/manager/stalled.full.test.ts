// A process that gets no processor for a while has not read what its clients sent in time. Nothing of that may be refused.
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

/** The status line of the answer, or nothing if the connection ends without one. */
async function statusOf(socket: TLSSocket): Promise<string> {
  const [answer = ""] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [])]);
  socket.destroy();
  return String(answer).slice(0, 12);
}

describe("a manager that stood still for 12 seconds answers", () => {
  const sent: Record<string, string> = {
    "a connection without a request": "",
    "half a head": head.slice(0, 40),
    "a head": head,
    "half a body": head + body.slice(0, 500),
  };
  it("what began before and arrived meanwhile", async () => {
    const answers = Object.entries(sent).map(async ([what, first]) => {
      const socket = await open();
      socket.write(first);
      await sleep(500);
      const answer = statusOf(socket);
      // The process stands still by now.
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
  }, 60_000);
});

it("a connection that had no request for 15 seconds is still there, as API servers expect of one that they keep", async () => {
  const socket = await open();
  await sleep(15_000);
  const answer = statusOf(socket);
  socket.write(head + body);
  expect(await answer).toBe("HTTP/1.1 200");
}, 60_000);
