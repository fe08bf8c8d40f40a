// Opens 500 hostile connections at a time to a manager with the heap of the scaffolded limit, one attack per test. Meanwhile, genuine
// clients send 20 requests of each kind per second. None of them may fail, and the memory must stay below the limit.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Attacked,
  type Outcome,
  type Plan,
  requestSteadily,
  scrape,
  sendConversion,
  sendReview,
  startAttacker,
  startManager,
} from "./under-attack.fixture.ts";

const connections = 500;
/** Duration of the genuine requests under each attack, in seconds. */
const duration = 6;
/** Time for all attackers to connect, in milliseconds. */
const settleTime = 5000;
/** The address of the attacker, because each Pod has its own address. Before the handshake, connections differ only by address. */
const localAddress = "127.0.0.66";
const mebi = 1024 * 1024;
const memoryLimit = 384 * mebi;
/**
 * Maximum growth in bytes after an attack, and the time in milliseconds until the rest must be released. The allocator of the C
 * library keeps freed memory for later: up to 76 MiB after large bodies.
 */
const retained = { rss: 100 * mebi, used: 10 * mebi };
const returnTime = 30_000;

let manager: Attacked;
let attacker: { stop(): Promise<void> } | undefined;

afterEach(async () => {
  await attacker?.stop();
  attacker = undefined;
  await manager.stop();
});

type Port = keyof Attacked["ports"];
type Name = Plan["name"];

async function genuine(seconds: number): Promise<Record<"reviews" | "conversions" | "scrapes", Outcome>> {
  const { webhook, metrics } = manager.ports;
  const [reviews, conversions, scrapes] = await Promise.all([
    requestSteadily(seconds, (agent) => sendReview(webhook, agent)),
    requestSteadily(seconds, (agent) => sendConversion(webhook, agent)),
    requestSteadily(seconds, (agent) => scrape(metrics, agent)),
  ]);
  return { reviews, conversions, scrapes };
}

async function survives(attacks: readonly [Name, Port, string?][], perAttack = connections): Promise<void> {
  const plans = attacks.map(([name, port, path]) => ({
    name,
    options: { port: manager.ports[port], tls: port !== "health", connections: perAttack, path, localAddress },
  }));
  const before = await manager.usage();
  const { reviews } = manager.api;
  attacker = startAttacker(plans);
  await sleep(settleTime);
  const begun = performance.now();
  const outcomes = await genuine(duration);
  const seconds = (performance.now() - begun + settleTime) / 1000;
  await attacker.stop();
  for (const [kind, outcome] of Object.entries(outcomes) as [keyof typeof outcomes, Outcome][]) {
    expect(outcome.failures.length, `${kind} that failed, such as ${outcome.failures[0]}`).toBe(0);
  }
  // The sum of a burst, a steady rate, and the requests of genuine clients.
  expect(manager.api.reviews - reviews).toBeLessThan(30 + 5 * seconds);
  expect((await manager.usage()).peak).toBeLessThan(memoryLimit);
  const grown = async (of: "rss" | "used"): Promise<number> => (await manager.usage())[of] - before[of];
  for (const of of ["used", "rss"] as const) {
    await expect.poll(() => grown(of), { timeout: returnTime, interval: 1000 }).toBeLessThan(retained[of]);
  }
}

describe("a manager under an attack from 500 connections", () => {
  describe("over HTTP/1.1", () => {
    beforeEach(async () => {
      manager = await startManager();
    });

    it.each<[Name, Port, string?]>([
      ["idleConnections", "webhook"],
      ["idleConnections", "metrics"],
      ["idleConnections", "health"],
      ["halfOpenHandshakes", "webhook"],
      ["halfOpenHandshakes", "metrics"],
      ["handshakeChurn", "webhook"],
      ["slowHeaders", "webhook"],
      ["slowHeaders", "metrics"],
      ["slowHeaders", "health"],
      ["headerFlood", "webhook"],
      ["headerFlood", "metrics"],
      ["headerFlood", "health"],
      ["largeHeads", "webhook"],
      ["largeHeads", "metrics"],
      ["largeHeads", "health"],
      ["idleBodies", "webhook"],
      ["idleBodies", "metrics", "/metrics"],
      ["idleBodies", "health", "/healthz"],
      ["idleChunkedBodies", "webhook"],
      ["idleChunkedBodies", "webhook", "/convert"],
      ["slowBodies", "webhook"],
      ["stalledBodies", "webhook"],
      ["stalledBodies", "webhook", "/convert"],
      ["gzipBombs", "webhook"],
      ["gzipBombs", "webhook", "/convert"],
      ["tokenFlood", "metrics"],
      ["pipelinedRequests", "metrics"],
      ["pipelinedRequests", "webhook", "/mutate"],
      ["pipelinedRequests", "health", "/healthz"],
      ["slowReaders", "metrics", "/metrics"],
      ["slowReaders", "health", "/healthz"],
    ])("survives %s on %s at %s", async (name, port, path) => {
      await survives([[name, port, path]]);
    });

    it("survives all attacks at once", async () => {
      const attacks: [Name, Port, string?][] = [
        ["idleConnections", "webhook"],
        ["halfOpenHandshakes", "webhook"],
        ["slowHeaders", "webhook"],
        ["headerFlood", "metrics"],
        ["idleBodies", "webhook"],
        ["idleChunkedBodies", "webhook", "/convert"],
        ["slowBodies", "webhook"],
        ["stalledBodies", "webhook"],
        ["tokenFlood", "metrics"],
        ["slowHeaders", "health"],
      ];
      await survives(attacks, connections / attacks.length);
    });
  });

  describe("over HTTP/2", () => {
    beforeEach(async () => {
      manager = await startManager({ http2: true });
    });

    it.each<[Name]>([
      ["http2RapidResets"],
      ["http2ContinuationFlood"],
      ["http2HpackBombs"],
      ["http2SettingsFlood"],
      ["http2IdleStreams"],
      ["idleConnections"],
      ["headerFlood"],
      ["idleBodies"],
    ])("survives %s", async (name) => {
      await survives([[name, "webhook"]]);
    });
  });
});
