// Runs slow clients, such as slowloris, against servers with the default limits of operators.
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "../log/logger.ts";
import { defaulterHandler } from "../webhook/admission/defaulting.ts";
import { testCertificate } from "../webhook/server.fixture.ts";
import { Ticket, TicketDefaulter } from "../webhook/ticket.fixture.ts";
import { type Exchanged, open, received, requestText, type Target } from "./attack.fixture.ts";
import { Manager } from "./manager.ts";
import { eventually } from "./widget.fixture.ts";

const stop = new AbortController();
const nobody = "http://127.0.0.1:1";
let done: Promise<void>;
let servers: Record<"webhook" | "metrics" | "health", Target>;

beforeAll(async () => {
  const mgr = await Manager.create(
    { host: nobody },
    {
      logger: silentLogger,
      healthProbeBindAddress: "127.0.0.1:0",
      metrics: { bindAddress: "127.0.0.1:0", secureServing: true },
      webhook: { host: "127.0.0.1", port: 0, enableHTTP2: true, certificates: { watch: testCertificate } },
    },
  );
  mgr.webhookServer.register("/mutate", defaulterHandler(Ticket, new TicketDefaulter()));
  done = mgr.start(stop.signal);
  await eventually(() => expect([mgr.webhookServer.port, mgr.metricsPort]).not.toContain(undefined));
  servers = {
    webhook: { port: mgr.webhookServer.port!, secure: true },
    metrics: { port: mgr.metricsPort!, secure: true },
    health: { port: mgr.healthProbePort!, secure: false },
  };
});

afterAll(async () => {
  stop.abort();
  await done;
});

/** Sends `first`, and then one character of `text` per second until the server ends the connection. */
async function trickle(target: Target, first: string, text: string): Promise<Exchanged> {
  const socket = await open(target);
  socket.write(first);
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), 1000);
  const exchanged = await received(socket, Number.POSITIVE_INFINITY);
  clearInterval(timer);
  return exchanged;
}

it("all servers close the connections of slow clients at the same time", async () => {
  const lateHeaders = (["webhook", "metrics", "health"] as const).map((name) =>
    trickle(servers[name], "GET / HTTP/1.1\r\nHost: x\r\nX: ", "slow"),
  );
  const head = requestText("POST /mutate HTTP/1.1", ["Content-Type: application/json", "Content-Length: 1000"]);
  const lateBody = trickle(servers.webhook, head, '{"a":');
  const handshakes = (["webhook", "metrics"] as const).map(async (name) => {
    const socket = await open({ port: servers[name].port, secure: false });
    // The first bytes of a ClientHello, without the rest.
    socket.write(Buffer.from([0x16, 0x03, 0x01, 0x01, 0x00]));
    return received(socket, 1);
  });
  for (const { statuses, closed } of await Promise.all(lateHeaders)) {
    expect({ statuses, closed }).toEqual({ statuses: [408], closed: true });
  }
  expect(await lateBody).toMatchObject({ closed: true, text: expect.stringContaining('"code":408') });
  for (const exchanged of await Promise.all(handshakes)) {
    expect(exchanged).toMatchObject({ statuses: [], closed: true });
  }
});
