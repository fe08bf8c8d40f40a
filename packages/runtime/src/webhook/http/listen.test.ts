import { once } from "node:events";
import { Agent } from "node:https";
import { connect as connectPlain } from "node:net";
import { connect } from "node:tls";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../../../../scripts/test-support/full-test.ts";
import { allowed } from "../admission/response.ts";
import { ask, handshake, json, send, startServer } from "../server.fixture.ts";
import type { WebhookServer } from "../server.ts";

const simple = (server: WebhookServer) => server.register("/x", { handle: () => allowed() });

describe("a webhook server that stops", () => {
  fullTest("completes earlier requests, and accepts no more", async () => {
    let go: () => void = () => {};
    const isAsked = new Promise<void>((asked) => {
      go = asked;
    });
    let finish: () => void = () => {};
    const t = await startServer((server) => {
      server.register("/x", {
        handle: () => {
          go();
          return new Promise((resolve) => {
            finish = () => resolve(allowed());
          });
        },
      });
    });
    const idle = await handshake(t.port);
    const silent = connectPlain({ host: "127.0.0.1", port: t.port });
    await once(silent, "connect");
    const agent = new Agent({ keepAlive: true });
    const answer = send(t.port, { path: "/x", headers: json, agent }, '{"request":{"uid":"u"}}');
    await isAsked;
    const stopped = t.stop();
    await expect
      .poll(() =>
        handshake(t.port).then(
          () => "open",
          () => "closed",
        ),
      )
      .toBe("closed");
    finish();
    expect((await answer).text).toContain('"allowed":true');
    await stopped;
    agent.destroy();
    for (const socket of [idle, silent]) socket.destroy();
  });

  it("responds to a request that is in flight at the stop, and then closes the connection", async () => {
    const t = await startServer(simple);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () => send(t.port, { path: "/x", headers: json, agent }, '{"request":{"uid":"u"}}');
    expect((await ask()).headers.connection).not.toBe("close");
    const stopped = t.stop();
    const last = await ask();
    expect(last.text).toContain('"allowed":true');
    expect(last.headers.connection).toBe("close");
    await stopped;
    agent.destroy();
  });

  it("waits longer for the first request of a connection, because its client wouldn't retry it", async () => {
    const t = await startServer(simple);
    const fresh = await handshake(t.port);
    const stopped = t.stop();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await ask(fresh)).toContain('"allowed":true');
    await stopped;
    fresh.destroy();
  });

  fullTest("keeps connections while requests arrive, because busy clients use all of theirs slowly", async () => {
    const t = await startServer(simple);
    const sockets = await Promise.all(Array.from({ length: 5 }, () => handshake(t.port)));
    for (const socket of sockets) await ask(socket);
    const stopped = t.stop();
    for (const socket of sockets) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(await ask(socket)).toContain('"allowed":true');
    }
    await stopped;
  });

  fullTest("responds to requests that arrived before idle connections end, even if the process was busy", async () => {
    const t = await startServer(simple);
    const socket = await handshake(t.port);
    await ask(socket);
    const stopped = t.stop();
    // Timers come next in the event loop, and connections after them.
    await new Promise((resolve) => setImmediate(resolve));
    const last = ask(socket);
    // Blocks for longer than the second after which the server closes idle connections.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    expect(await last).toContain('"allowed":true');
    await stopped;
    socket.destroy();
  });

  it("accepts all connections that were established before", async () => {
    const t = await startServer(simple);
    // Few, because the server waits for their requests only for five seconds, in which a busy machine must send all of them.
    const sockets = Array.from({ length: 4 }, () =>
      connect({ host: "127.0.0.1", port: t.port, rejectUnauthorized: false }),
    );
    const answers = sockets.map(async (socket) => {
      await once(socket, "secureConnect");
      return ask(socket);
    });
    // The connections are established by the system, and not yet accepted by Node.js.
    await new Promise((resolve) => process.nextTick(resolve));
    const stopped = t.stop();
    for (const answer of await Promise.all(answers)) expect(answer).toContain('"allowed":true');
    await stopped;
  });

  it("keeps a connection after a response that couldn't announce its end, because the next request can be in flight", async () => {
    let respond: (() => void) | undefined;
    const t = await startServer((server) => {
      simple(server);
      server.register("/begun", (_, response) => {
        response.flushHeaders();
        respond = () => response.end();
      });
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const begun = send(t.port, { path: "/begun", agent });
    await expect.poll(() => respond).toBeDefined();
    const stopped = t.stop();
    respond?.();
    expect((await begun).headers.connection).not.toBe("close");
    const last = await send(t.port, { path: "/x", headers: json, agent }, '{"request":{"uid":"u"}}');
    expect(last.headers.connection).toBe("close");
    await stopped;
    agent.destroy();
  });
});
