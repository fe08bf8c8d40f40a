import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { silentLogger } from "../log/logger.ts";
import type { RunnableGroup } from "../runnable/runnable.ts";
import { parseBindAddress } from "../server/bind-address.ts";
import { ManagerRun, type ManagerRunOptions } from "./run.ts";

function setUp(options: Partial<ManagerRunOptions> = {}) {
  const clock = new VirtualClock();
  const order: string[] = [];
  const run = new ManagerRun({
    log: silentLogger,
    clock,
    elector: undefined,
    gracefulShutdownTimeout: 30_000,
    releaseOnCancel: false,
    writeLast: async () => {},
    onUnhandledRejection: () => {},
    ...options,
  });
  const add = (group: RunnableGroup, name: string): void =>
    group.add({
      start: async (signal) => {
        order.push(`+${name}`);
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        order.push(`-${name}`);
      },
    });
  const stop = new AbortController();
  const start = () => {
    const done = run.start(stop.signal);
    done.catch(() => {});
    return done;
  };
  return { run, clock, order, add, stop, start };
}

const addAll = ({ run, add }: ReturnType<typeof setUp>): void => {
  add(run.leaderElection, "leader");
  add(run.others, "other");
  add(run.warmup, "warmup");
  add(run.caches, "cache");
  add(run.webhooks, "webhook");
  add(run.httpServers, "server");
};

/** Creates an elector that the test controls. */
function elector(order: string[]) {
  let win = (_won: boolean): void => {};
  let lose = (_kept: boolean): void => {};
  const fake = {
    isLeader: false,
    isSafe: true,
    acquire: (signal: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        signal.addEventListener("abort", () => resolve(false));
        win = (won) => {
          fake.isLeader = won;
          resolve(won);
        };
      }),
    keep: (signal: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        signal.addEventListener("abort", () => resolve(true));
        lose = resolve;
      }),
    release: async () => void order.push("released"),
  };
  return { fake: fake as never, win: () => win(true), lose: () => lose(false) };
}

describe("the start and stop of a manager", () => {
  it("M1: starts caches after webhooks are ready, because lists may need this process's conversion", async () => {
    const served: string[] = [];
    const t = setUp({ onServing: () => void served.push("served") });
    let answer: () => void = () => {};
    t.run.webhooks.add({
      start: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      ready: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    addAll(t);
    const done = t.start();
    await t.clock.advance(0);
    expect([...served, ...t.order]).toEqual(["+server", "+webhook"]);
    answer();
    await t.clock.advance(0);
    expect([...served, ...t.order].join(" ")).toBe("served +server +webhook +cache +other +warmup +leader");
    t.stop.abort();
    await done;
  });

  it("M1: starts nothing else if webhooks can't start, and can be stopped meanwhile", async () => {
    for (const group of ["webhooks", "httpServers"] as const) {
      const t = setUp({ onServing: () => void t.order.push("serving") });
      t.run[group].add({ start: () => Promise.reject(new Error("port taken")), ready: () => new Promise(() => {}) });
      addAll(t);
      await expect(t.start()).rejects.toThrow("port taken");
      const forbidden = group === "webhooks" ? /serving|cache/ : /serving/;
      expect(t.order.join(" ")).not.toMatch(forbidden);
    }

    const other = setUp();
    other.run.webhooks.add({ start: async () => {}, ready: () => new Promise(() => {}) });
    addAll(other);
    const done = other.start();
    await other.clock.advance(0);
    other.stop.abort();
    await done;
    expect(other.order).not.toContain("+cache");
  });

  it("M1, M2: starts servers, webhooks, caches, others, leader's runnables; stops in reverse order", async () => {
    const t = setUp();
    addAll(t);
    const done = t.start();
    await t.clock.advance(0);
    expect(t.order).toEqual(["+server", "+webhook", "+cache", "+other", "+warmup", "+leader"]);
    t.order.length = 0;
    t.stop.abort();
    await done;
    expect(t.order.slice(0, 2).sort()).toEqual(["-other", "-warmup"]);
    expect(t.order.slice(2)).toEqual(["-leader", "-cache", "-webhook", "-server"]);
  });

  it("M3: accepts an early end, stops everything after an error, and rejects with it", async () => {
    const t = setUp();
    addAll(t);
    t.run.others.add({ start: async () => {} });
    const done = t.start();
    await t.clock.advance(0);
    t.run.others.add({
      start: async () => {
        throw new Error("broken");
      },
    });
    await expect(done).rejects.toThrow("broken");
    expect(t.order.filter((entry) => entry.startsWith("-"))).toHaveLength(6);
  });

  it("M3: reports an error only once if two runnables reject with it", async () => {
    const t = setUp();
    const error = new Error("games is forbidden");
    t.run.warmup.add({ start: () => Promise.reject(error) });
    t.run.leaderElection.add({ start: () => Promise.reject(error) });
    await expect(t.start()).rejects.toBe(error);
  });

  it("M5: warms a candidate up, without delaying the leader", async () => {
    const { fake, win } = elector([]);
    const t = setUp({ elector: fake });
    let isWarm = false;
    t.run.warmup.add({
      start: async (signal) => {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        isWarm = true;
      },
    });
    addAll(t);
    const done = t.start();
    await t.clock.advance(0);
    expect(t.order).toEqual(["+server", "+webhook", "+cache", "+other", "+warmup"]);
    win();
    await t.clock.advance(0);
    expect([t.order.at(-1), isWarm]).toEqual(["+leader", false]);
    t.stop.abort();
    await done;
  });

  it("M3: ignores aborts of the signal during the stop", async () => {
    const t = setUp();
    t.run.others.add({
      start: (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    });
    const done = t.start();
    await t.clock.advance(0);
    t.stop.abort();
    await expect(done).resolves.toBeUndefined();
  });

  it("M4: accepts runnables while it runs, and rejects them after the stop", async () => {
    const t = setUp();
    const done = t.start();
    await t.clock.advance(0);
    t.add(t.run.leaderElection, "late");
    await t.clock.advance(0);
    expect(t.order).toEqual(["+late"]);
    t.stop.abort();
    await done;
    expect(() => t.add(t.run.others, "too late")).toThrow("stop procedure");
  });

  it("M5: waits only for webhooks, and starts the rest before other runnables are ready", async () => {
    const t = setUp();
    const asked: string[] = [];
    const never = (name: string) => ({
      start: () => new Promise<void>(() => {}),
      ready: () => {
        asked.push(name);
        return new Promise<void>(() => {});
      },
    });
    t.run.httpServers.add(never("server"));
    t.run.caches.add(never("cache"));
    t.run.others.add(never("other"));
    t.add(t.run.leaderElection, "leader");
    const done = t.start();
    await t.run.elected;
    await t.clock.advance(0);
    expect(t.order).toEqual(["+leader"]);
    t.stop.abort();
    await t.clock.advance(30_000);
    await expect(done).rejects.toThrow("failed waiting for all runnables");
  });

  it("M14: fails if the stop takes too long", async () => {
    const t = setUp({ gracefulShutdownTimeout: 1000 });
    t.run.others.add({ start: () => new Promise(() => {}) });
    const done = t.start();
    await t.clock.advance(0);
    t.stop.abort();
    await t.clock.advance(1000);
    await expect(done).rejects.toThrow("failed waiting for all runnables to end within grace period");
  });

  it("stops renewing the lease if it doesn't wait for runnables, which may never end", async () => {
    const order: string[] = [];
    const { fake, win } = elector(order);
    const t = setUp({ elector: fake, gracefulShutdownTimeout: 0 });
    t.run.others.add({ start: () => new Promise(() => {}) });
    const campaign = fake as { keep(signal: AbortSignal): Promise<boolean> };
    const keep = campaign.keep;
    campaign.keep = async (signal) => {
      const kept = await keep(signal);
      order.push("no longer renewed");
      return kept;
    };
    const done = t.start();
    await t.clock.advance(0);
    win();
    await t.run.elected;
    t.stop.abort();
    await done;
    await t.clock.advance(0);
    expect(order).toEqual(["no longer renewed"]);
  });

  it("logs an unhandled rejection once per process, counts it in each manager, and continues", async () => {
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    try {
      const logged: unknown[] = [];
      let counted = 0;
      const log = { ...silentLogger, error: (error: unknown) => void logged.push(error) };
      const onUnhandledRejection = () => void counted++;
      const runs = [setUp({ log, onUnhandledRejection }), setUp({ log, onUnhandledRejection })];
      const ends = runs.map(({ start }) => start());
      await runs[0]?.clock.advance(0);
      for (const reason of ["one", "two"]) {
        const stray = Promise.reject(new Error(reason));
        await new Promise((resolve) => setImmediate(resolve));
        stray.catch(() => {});
      }
      expect([logged.map(String), counted]).toEqual([["Error: one", "Error: two"], 4]);
      // Node.js warns of a leak if there are eleven listeners.
      expect(process.listenerCount("unhandledRejection")).toBe(1);
      for (const { stop } of runs) stop.abort();
      await Promise.all(ends);
      expect(process.listenerCount("unhandledRejection")).toBe(0);
    } finally {
      for (const listener of others) process.on("unhandledRejection", listener);
    }
  });

  it("logs an uncaught exception before the process exits", () => {
    const program = fileURLToPath(new URL("dies.fixture.ts", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", program], {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: "" },
      timeout: 60_000,
    });
    expect(status).toBe(1);
    const [line, ...words] = stderr.split("\n").filter((each) => each !== "");
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: "error",
      msg: "Uncaught exception",
      error: "out of nowhere",
    });
    expect(words.join("\n")).toContain("Error: out of nowhere");
  });

  it("listens to uncaught exceptions only while it runs", async () => {
    const before = process.listenerCount("uncaughtExceptionMonitor");
    const t = setUp();
    const done = t.start();
    await t.clock.advance(0);
    expect(process.listenerCount("uncaughtExceptionMonitor")).toBe(before + 1);
    t.stop.abort();
    await done;
    expect(process.listenerCount("uncaughtExceptionMonitor")).toBe(before);
  });

  it("rejects a second start", async () => {
    const t = setUp();
    const done = t.start();
    await expect(t.run.start(t.stop.signal)).rejects.toThrow("already started");
    t.stop.abort();
    await done;
  });
});

describe("the leadership of a manager", () => {
  it("M13: begins immediately without an election", async () => {
    const t = setUp();
    const done = t.start();
    await t.run.elected;
    t.stop.abort();
    await done;
  });

  it("M7: stops everything without grace after the lease is lost, and start rejects", async () => {
    const order: string[] = [];
    const { fake, win, lose } = elector(order);
    const t = setUp({ elector: fake });
    t.run.leaderElection.add({ start: () => new Promise(() => {}) });
    const done = t.start();
    await t.clock.advance(0);
    win();
    await t.run.elected;
    lose();
    await expect(done).rejects.toThrow("leader election lost");
  });

  it("M8: releases the lease only after everything has stopped", async () => {
    const released: string[] = [];
    const { fake, win } = elector(released);
    const writeLast = async () => void released.push("last events written");
    const t = setUp({ elector: fake, releaseOnCancel: true, writeLast });
    let finish = (): void => {};
    t.run.leaderElection.add({
      start: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    const done = t.start();
    await t.clock.advance(0);
    win();
    await t.clock.advance(0);
    t.stop.abort();
    await t.clock.advance(1000);
    expect(released).toEqual([]);
    finish();
    await done;
    expect(released).toEqual(["last events written", "released"]);
  });

  it("M9: resolves start if it is stopped before the election", async () => {
    const released: string[] = [];
    const { fake } = elector(released);
    const t = setUp({ elector: fake, releaseOnCancel: true });
    const done = t.start();
    await t.clock.advance(0);
    t.stop.abort();
    await expect(done).resolves.toBeUndefined();
    let elected = false;
    void t.run.elected.then(() => {
      elected = true;
    });
    await t.clock.advance(0);
    expect(elected).toBe(false);
  });

  it("M10: runs nothing as a leader if it is stopped before the election", async () => {
    const { fake } = elector([]);
    const t = setUp({ elector: fake });
    addAll(t);
    const done = t.start();
    await t.clock.advance(0);
    t.stop.abort();
    await done;
    expect(t.order).not.toContain("+leader");
  });
});

describe("parseBindAddress", () => {
  it("parses :port, host:port and [v6]:port, and returns undefined for 0", () => {
    expect(parseBindAddress(":8080")).toEqual({ port: 8080 });
    expect(parseBindAddress("127.0.0.1:0")).toEqual({ host: "127.0.0.1", port: 0 });
    expect(parseBindAddress("[::1]:8443")).toEqual({ host: "::1", port: 8443 });
    expect(parseBindAddress("0")).toBeUndefined();
    for (const wrong of ["8080", "a:b", ":99999", "::1:80"])
      expect(() => parseBindAddress(wrong)).toThrow("bind address");
  });
});
