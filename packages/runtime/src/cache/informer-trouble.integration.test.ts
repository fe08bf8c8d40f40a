import { describe, expect, it } from "vitest";
import { ApiError } from "../errors/api-error.ts";
import { TransportError } from "../errors/transport-error.ts";
import { type LogFields, silentLogger } from "../log/logger.ts";
import { setUpInformer } from "./informer.fixture.ts";

describe("an informer in case of errors", () => {
  it("logs once how to add a missing permission", async () => {
    const lines: { message: string; fields?: LogFields }[] = [];
    const log = {
      ...silentLogger,
      warn: (message: string, fields?: LogFields) => void lines.push({ message, fields }),
    };
    const { server, start, clock } = setUpInformer({ log });
    server.refuse = () => {
      throw ApiError.create(
        403,
        "Forbidden",
        'things is forbidden: User "system:serviceaccount:x:y" cannot list resource',
      );
    };
    await start();
    await clock.advance(60_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.message).toBe("List or watch failed");
    expect(lines[0]?.fields?.error).toContain('User "system:serviceaccount:x:y" cannot list');
    expect(lines[0]?.fields?.hint).toContain("+kubebuilder:rbac");
  });

  it("counts a very short watch as a failure, and backs off", async () => {
    const { server, start, clock, warnings } = setUpInformer();
    const watch = server.watch.bind(server);
    server.watch = async (request) => {
      const stream = await watch(request);
      server.endWatches();
      return stream;
    };
    await start();
    await clock.advance(60_000);
    expect(server.requests.length).toBeLessThan(15);
    expect(warnings[0]).toContain("very short watch");
  });

  it("checks the connection twice a second during an outage, and continues as soon as it works", async () => {
    const { server, informer, start, clock, probes, events, handler } = setUpInformer();
    server.put("a", "1");
    informer.addHandler(handler);
    await start();
    server.isDown = true;
    server.breakWatches();
    await clock.advance(5000);
    expect(probes).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000]);
    expect(server.requests).toEqual(["stream "]);
    server.put("a", "2");
    server.isDown = false;
    await clock.advance(500);
    expect(events).toEqual(["create a=1 (initial)", "update a=1>2"]);
    expect(server.requests.at(-1)).toBe("watch 11");
  });

  it("retries soon after an outage if the server is still initializing", async () => {
    const { server, start, clock } = setUpInformer();
    await start();
    server.isDown = true;
    server.breakWatches();
    await clock.advance(1000);
    server.isDown = false;
    let refusals = 8;
    server.refuse = () => {
      if (refusals-- > 0) throw ApiError.create(429, "TooManyRequests", "storage is (re)initializing");
    };
    await clock.advance(500 + 8 * 250);
    expect(server.openWatches).toBe(1);
  });

  it("increases the back-off for a server that keeps failing, up to 30 seconds", async () => {
    const { server, start, clock, warnings } = setUpInformer();
    server.refuse = () => {
      throw new TransportError("EBADANSWER", "no JSON");
    };
    await start();
    await clock.advance(300_000);
    expect(server.requests.length).toBeGreaterThan(8);
    expect(server.requests.length).toBeLessThan(20);
    expect(warnings).toHaveLength(1);
  });

  it("logs an error once, even if each request has a different URL", async () => {
    const { server, start, clock, warnings } = setUpInformer();
    let request = 0;
    server.refuse = () => {
      throw new TransportError("EBADANSWER", `GET /things?timeoutSeconds=${request++}: no JSON`);
    };
    await start();
    await clock.advance(20_000);
    server.refuse = () => {
      throw ApiError.create(503, "ServiceUnavailable", `GET /things?timeoutSeconds=${request++}: not now`);
    };
    await clock.advance(60_000);
    expect(warnings).toHaveLength(2);
    expect(request).toBeGreaterThan(8);
  });

  it("I5: waits for the seconds in Retry-After, and not much longer", async () => {
    const { server, start, clock } = setUpInformer();
    const at: number[] = [];
    server.refuse = () => {
      at.push(clock.now());
      if (at.length < 8) throw ApiError.create(503, "ServiceUnavailable", "busy", { retryAfterSeconds: 5 });
    };
    await start();
    await clock.advance(120_000);
    const pauses = at.slice(1).map((time, index) => time - at[index]!);
    expect(pauses).toHaveLength(7);
    for (const pause of pauses) expect([pause >= 5000, pause <= 10_000]).toEqual([true, true]);
  });

  it("retries at least every ten seconds before the sync, and reports the last error", async () => {
    const { server, informer, start, clock } = setUpInformer();
    server.refuse = () => {
      throw ApiError.forbidden("Thing", "", "no rights");
    };
    await start();
    await clock.advance(60_000);
    expect(informer.hasSynced).toBe(false);
    expect(String(informer.lastError)).toContain("no rights");
    server.refuse = () => {};
    await clock.advance(10_000);
    expect([informer.hasSynced, informer.lastError]).toEqual([true, undefined]);
  });

  it("lists immediately after an outage if its watch has expired", async () => {
    const { server, start, clock, probes } = setUpInformer();
    await start();
    server.isDown = true;
    server.breakWatches();
    await clock.advance(1000);
    server.put("a", "1");
    server.compact();
    server.isDown = false;
    await clock.advance(500);
    expect(probes).toEqual([0, 500, 1000, 1500]);
    expect(server.requests).toEqual(["stream ", "watch 10", "stream "]);
    expect(server.openWatches).toBe(1);
  });

  it("treats an invalid event as a broken watch, and misses no change", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    informer.addHandler(handler);
    await start();
    server.sendRaw({ hello: "world" });
    server.put("a", "1");
    await clock.advance(5000);
    expect(events).toEqual(["create a=1"]);
    expect(server.openWatches).toBe(1);
  });

  it("sends few requests to a server that ends each watch after one event", async () => {
    const { server, start, clock } = setUpInformer();
    await start();
    const watch = server.watch.bind(server);
    server.watch = async (request) => {
      const stream = await watch(request);
      server.bookmark();
      server.endWatches();
      return stream;
    };
    server.endWatches();
    await clock.advance(10_000);
    expect(server.requests.length).toBeGreaterThan(20);
    expect(server.requests.length).toBeLessThan(50);
  });

  it("I5: sends few requests to a server that rejects each version as too old, even the latest", async () => {
    const { server, informer, start, clock } = setUpInformer();
    server.streamsLists = false;
    server.refuse = (request) => {
      if (request.startsWith("watch")) throw ApiError.create(410, "Expired", "too old resource version");
    };
    await start();
    await clock.advance(60_000);
    expect(informer.hasSynced).toBe(true);
    expect(server.requests.length).toBeLessThan(30);
  });
});
