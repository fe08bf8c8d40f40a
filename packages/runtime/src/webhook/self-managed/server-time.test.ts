import { afterAll, beforeAll, expect, it } from "vitest";
import { VirtualClock } from "../../clock/virtual-clock.ts";
import { silentLogger } from "../../log/logger.ts";
import { createTransport } from "../../transport/create-transport.ts";
import { json, type LoopbackServer, startLoopbackServer } from "../../transport/loopback-server.ts";
import type { Transport } from "../../transport/transport.ts";
import { ServerTime } from "./server-time.ts";

const day = 24 * 3_600_000;
const { signal } = new AbortController();
let api: LoopbackServer;
let transport: Transport;
let date: string | undefined;

beforeAll(async () => {
  api = await startLoopbackServer((_request, response) => {
    response.sendDate = false;
    json(response, 200, {}, date ? { date } : {});
  });
  transport = createTransport({ host: api.url });
});
afterAll(async () => {
  await transport.close();
  await api.close();
});

function serverTime(clock: VirtualClock) {
  const warnings: unknown[] = [];
  const log = { ...silentLogger, warn: (_message: string, fields?: object) => void warnings.push(fields) };
  return { time: new ServerTime({ transport, clock, log }), warnings };
}

it("ServerTime returns the server's time if this machine's clock is wrong, and logs that once", async () => {
  const clock = new VirtualClock(new Date("2026-01-31T00:00:00.250Z"));
  const { time, warnings } = serverTime(clock);
  date = "Thu, 01 Jan 2026 00:00:00 GMT";
  for (let turn = 0; turn < 2; turn++) expect(await time.now(signal)).toEqual(new Date("2026-01-01T00:00:00Z"));
  expect(warnings).toEqual([{ secondsAhead: (30 * day) / 1000 }]);
});

it("ServerTime returns this machine's time if both are close, with milliseconds", async () => {
  const { time, warnings } = serverTime(new VirtualClock(new Date("2026-01-01T00:00:30.250Z")));
  date = "Thu, 01 Jan 2026 00:00:00 GMT";
  expect([await time.now(signal), warnings]).toEqual([new Date("2026-01-01T00:00:30.250Z"), []]);
});

it.each([undefined, "yesterday"])(
  "ServerTime returns this machine's time if the server's date is %s",
  async (unusable) => {
    const { time, warnings } = serverTime(new VirtualClock(new Date("2026-01-31T00:00:00Z")));
    date = unusable;
    expect([await time.now(signal), warnings]).toEqual([new Date("2026-01-31T00:00:00Z"), []]);
  },
);

it("ServerTime returns this machine's time if the server doesn't respond", async () => {
  const { time } = serverTime(new VirtualClock(new Date("2026-01-31T00:00:00Z")));
  const stopped = AbortSignal.abort();
  expect(await time.now(stopped)).toEqual(new Date("2026-01-31T00:00:00Z"));
});
