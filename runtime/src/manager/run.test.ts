import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { silentLogger } from "../log/logger.ts";
import { parseBindAddress } from "./bind-address.ts";
import { ManagerRun, type ManagerRunOptions } from "./run.ts";
import type { RunnableGroup } from "./runnable.ts";

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

/** An elector that does what the test says. */
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

describe("manager: order", () => {
  it("M1: caches wait until webhooks answer, because listing may need this process's own conversion", async () => {
    const t = setUp();
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
    expect(t.order).toEqual(["+server", "+webhook"]);
    answer();
    await t.clock.advance(0);
    expect(t.order).toEqual(["+server", "+webhook", "+cache", "+other", "+warmup", "+leader"]);
    t.stop.abort();
    await done;
  });

  it("M1: nothing else starts when webhooks can't, and a stop meanwhile is heard", async () => {
    const t = setUp();
    t.run.webhooks.add({ start: () => Promise.reject(new Error("port taken")), ready: () => new Promise(() => {}) });
    addAll(t);
    await expect(t.start()).rejects.toThrow("port taken");
    expect(t.order).not.toContain("+cache");

    const other = setUp();
    other.run.webhooks.add({ start: async () => {}, ready: () => new Promise(() => {}) });
    addAll(other);
    const done = other.start();
    await other.clock.advance(0);
    other.stop.abort();
    await done;
    expect(other.order).not.toContain("+cache");
  });

  it("M1, M2: starts servers, webhooks, caches, others, then what the leader runs; stops the other way round", async () => {
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

  it("M3: an early end is fine; an error stops everything, and start rejects with it", async () => {
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

  it("M3: one error that two report is one error", async () => {
    const t = setUp();
    const error = new Error("games is forbidden");
    t.run.warmup.add({ start: () => Promise.reject(error) });
    t.run.leaderElection.add({ start: () => Promise.reject(error) });
    await expect(t.start()).rejects.toBe(error);
  });

  it("M5: a candidate warms up, and who leads doesn't wait for it", async () => {
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

  it("M3: aborts of the signal are no errors during the stop", async () => {
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

  it("M4: takes more while it runs, and nothing once it stops", async () => {
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

  it("M5: but for webhooks nobody is waited for: who starts before may still be at it", async () => {
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

  it("M14: reports it if stopping takes too long", async () => {
    const t = setUp({ gracefulShutdownTimeout: 1000 });
    t.run.others.add({ start: () => new Promise(() => {}) });
    const done = t.start();
    await t.clock.advance(0);
    t.stop.abort();
    await t.clock.advance(1000);
    await expect(done).rejects.toThrow("failed waiting for all runnables to end within grace period");
  });

  it("a stray rejection is logged once in a process, counted by each of its managers, and ends none", async () => {
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
      // Node warns of a leak from eleven on.
      expect(process.listenerCount("unhandledRejection")).toBe(1);
      for (const { stop } of runs) stop.abort();
      await Promise.all(ends);
      expect(process.listenerCount("unhandledRejection")).toBe(0);
    } finally {
      for (const listener of others) process.on("unhandledRejection", listener);
    }
  });

  it("an exception that nobody catches ends the process as ever, and has a line in the log before", () => {
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

  it("listens to exceptions only as long as it runs", async () => {
    const before = process.listenerCount("uncaughtExceptionMonitor");
    const t = setUp();
    const done = t.start();
    await t.clock.advance(0);
    expect(process.listenerCount("uncaughtExceptionMonitor")).toBe(before + 1);
    t.stop.abort();
    await done;
    expect(process.listenerCount("uncaughtExceptionMonitor")).toBe(before);
  });

  it("a manager runs once", async () => {
    const t = setUp();
    const done = t.start();
    await expect(t.run.start(t.stop.signal)).rejects.toThrow("already started");
    t.stop.abort();
    await done;
  });
});

describe("manager: leadership", () => {
  it("M13: without an election is the leader at once", async () => {
    const t = setUp();
    const done = t.start();
    await t.run.elected;
    t.stop.abort();
    await done;
  });

  it("M7: a lost lease ends everything without grace, and start rejects", async () => {
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

  it("M8: gives the lease up only when everything has ended", async () => {
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

  it("M9: a stop before the election is no lost lease: start resolves", async () => {
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

  it("M10: stopped before the election, runs nothing as a leader", async () => {
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

describe("bind addresses", () => {
  it("are :port, host:port, [v6]:port, or 0 for none", () => {
    expect(parseBindAddress(":8080")).toEqual({ port: 8080 });
    expect(parseBindAddress("127.0.0.1:0")).toEqual({ host: "127.0.0.1", port: 0 });
    expect(parseBindAddress("[::1]:8443")).toEqual({ host: "::1", port: 8443 });
    expect(parseBindAddress("0")).toBeUndefined();
    for (const wrong of ["8080", "a:b", ":99999", "::1:80"])
      expect(() => parseBindAddress(wrong)).toThrow("bind address");
  });
});
