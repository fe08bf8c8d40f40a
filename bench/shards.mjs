// Measures replicas that share the objects of an operator, on the embedded API server:
//   node --import tsx bench/shards.mjs [--objects N] [--namespaces N]
// A single replica without sharding is the reference for memory and bytes. Then four replicas share the objects, with and without
// the help of the server, one of them is killed, and their number changes. Needs Linux and a built checkout. Exits 1 if a limit is
// exceeded.
// JavaScript with checked types.
// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startEmbedded } from "./lib/embedded-server.ts";
import { limit, mebibytes, seconds, table } from "./lib/results.ts";
import { createDefinition, createRecords, deleteLeases } from "./shards/objects.ts";
import { Replica, reports, until } from "./shards/replicas.ts";

/** @typedef {import("./shards/replica.mjs").Counts} Counts */
/** @typedef {import("./shards/replica.mjs").Report} Report */
/** @typedef {import("@kubewright/runtime").Config} Config */

const { values: flags } = parseArgs({
  options: {
    objects: { type: "string", default: "100000" },
    namespaces: { type: "string", default: "1000" },
    json: { type: "string" },
  },
});
if (process.platform !== "linux") throw new Error("the benchmark reads /proc: it needs Linux");
const objects = Number(flags.objects);
/** A record and its ConfigMap. */
const objectsPerRecord = 2;
const members = 4;
/** The default of leader election. */
const retryPeriodSeconds = 2;
const directory = mkdtempSync(join(tmpdir(), "kubewright-shards-"));
const data = join(directory, "data.jsonl");
const mib = 2 ** 20;

/** @type {Replica[]} */
let replicas = [];
/** @type {string[][]} */
const sizes = [];
/** @type {string[][]} */
const rows = [];

/**
 * Runs a function with a server that keeps its objects for the next one.
 *
 * @param {boolean} filters - whether the server filters for each replica
 * @param {(config: Config) => Promise<void>} run
 */
async function withServer(filters, run) {
  const { config, stop } = await startEmbedded("--data", data, "--feature-gates", `ShardedListAndWatch=${filters}`);
  try {
    await run(config);
  } finally {
    for (const replica of replicas) await replica.kill();
    replicas = [];
    await stop();
  }
}

/**
 * @template {string} K
 * @param {readonly Readonly<Record<K, number>>[]} all
 * @param {K} key
 */
const sum = (all, key) => all.reduce((total, report) => total + report[key], 0);
/**
 * @param {readonly Counts[]} before
 * @param {readonly Counts[]} after
 * @param {keyof Counts} key
 */
const gained = (before, after, key) => sum(after, key) - sum(before, key);
/**
 * Returns how many objects, of which each has a child, were listed.
 *
 * @param {readonly Counts[]} before
 * @param {readonly Counts[]} after
 */
const listedObjects = (before, after) => gained(before, after, "listed") / objectsPerRecord;
/** @param {readonly Report[]} all */
const held = (all) => sum(all, "objects");
/** @param {readonly Report[]} all */
const reconciled = (all) => sum(all, "reconciled");

/** The default tolerance of sharding, within which no range moves. */
const tolerance = 0.1;

/** Resolves when the replicas together hold each object once, and have the same share. */
function balanced() {
  const share = objects / replicas.length;
  // A third of the objects isn't a whole number.
  /** @param {Report} report */
  const isFair = (report) => Math.abs(report.objects - share) < share * tolerance + 1;
  return until("balance", replicas, (all) => held(all) === objects && all.every(isFair));
}

/** Resolves when no range moves. */
async function settled() {
  let before = "";
  for (;;) {
    await sleep(2 * retryPeriodSeconds * 1000);
    // A range that is still being listed moves later.
    const now = (await reports(replicas)).map((report) => `${report.objects} ${report.moves} ${report.listed}`).join();
    if (now === before) return;
    before = now;
  }
}

/**
 * @param {string} name
 * @param {Report[]} all
 * @param {number} empty - the heap of a replica without objects
 */
function addSize(name, all, empty) {
  /** @param {(report: Report) => number} value */
  const most = (value) => Math.max(...all.map(value));
  const size = {
    objects: most((report) => report.objects),
    heap: most((report) => report.heap) - empty,
    received: most((report) => report.received),
  };
  sizes.push([name, String(size.objects), mebibytes(size.heap / mib), mebibytes(size.received / mib)]);
  return size;
}

/** @param {Config} config */
async function emptyHeap(config) {
  await createDefinition(config);
  const replica = new Replica(config, false);
  replicas = [replica];
  const { heap } = await replica.report({ collect: true });
  await replica.stop();
  replicas = [];
  return heap;
}

/**
 * @param {Config} config
 * @param {number} empty
 */
async function reference(config, empty) {
  replicas = [new Replica(config, false)];
  await until("the only replica", replicas, (all) => reconciled(all) === objects);
  const size = addSize("1, without sharding", await reports(replicas, { collect: true }), empty);
  await replicas[0]?.stop();
  replicas = [];
  return size;
}

/**
 * Starts several replicas at once.
 *
 * @param {Config} config
 */
async function startAll(config) {
  replicas = Array.from({ length: members }, () => new Replica(config, true));
  await balanced();
  await until("the first reconciles", replicas, (all) => reconciled(all) >= objects);
  return reports(replicas, { collect: true });
}

/** Measures the writes of replicas that have nothing to do, for each member and interval. */
async function idleWrites() {
  const intervals = 10;
  const before = await reports(replicas);
  await sleep(intervals * retryPeriodSeconds * 1000);
  return gained(before, await reports(replicas), "leaseWrites") / intervals / replicas.length;
}

/**
 * Changes the number of replicas, and measures what moves.
 *
 * @param {Config} config
 * @param {number} wanted
 * @param {number} empty
 */
async function rescale(config, wanted, empty) {
  const began = performance.now();
  const before = await reports(replicas);
  const [kept, ended] = [replicas.slice(0, wanted), replicas.slice(wanted)];
  while (kept.length < wanted) kept.push(new Replica(config, true));
  replicas = kept;
  /** @type {Counts[]} */
  const ends = [];
  for (const replica of ended) ends.push(await replica.stop());
  await balanced();
  const took = (performance.now() - began) / 1000;
  await settled();
  const after = [...(await reports(replicas)), ...ends];
  const moved = gained(before, after, "acquired");
  const moves = gained(before, after, "moves");
  const renewals = ((performance.now() - began) / 1000 / retryPeriodSeconds + 1) * Math.max(wanted, before.length);
  const writes = (gained(before, after, "leaseWrites") - renewals) / Math.max(moves, 1);
  const listed = listedObjects(before, after);
  const name = `${before.length} → ${wanted}`;
  rows.push([`${name} replicas`, seconds(took), String(moved), listed.toFixed(0), String(moves)]);
  limit(`${name} replicas, objects listed for each that moves`, listed / moved, 1.05);
  limit(`${name} replicas, writes for each move`, writes, 3);
  addSize(String(wanted), await reports(replicas, { collect: true }), empty);
}

async function killOne() {
  const [killed, ...others] = replicas;
  replicas = others;
  const before = await reports(replicas);
  await killed?.kill();
  const took = (await until("the objects of a killed replica", replicas, (all) => held(all) === objects)) / 1000;
  await settled();
  const after = await reports(replicas);
  const listed = listedObjects(before, after);
  const moved = gained(before, after, "acquired");
  rows.push(["kill -9 of one of four", seconds(took), String(moved), listed.toFixed(0), ""]);
  limit("kill -9, seconds until each object is owned again", took, 25);
}

try {
  let empty = 0;
  let single = { objects: 0, heap: 0, received: 0 };
  table(["replicas", "objects of the largest", "its heap for them", "bytes that it received"], sizes);
  table(["event", "time", "moved objects", "listed", "moves"], rows);
  await withServer(true, async (config) => {
    empty = await emptyHeap(config);
    await createRecords(config, objects, Number(flags.namespaces));
    single = await reference(config, empty);
    const all = await startAll(config);
    const size = addSize("4", all, empty);
    const [least, most] = [Math.min(...all.map((report) => report.objects)), size.objects];
    limit("share of the largest of four", most / objects, 0.275);
    limit("share that the smallest of four lacks", 0.25 - least / objects, 0.025);
    limit("heap of one of four / without sharding", size.heap / single.heap, 0.3);
    limit("bytes of one of four / without sharding", size.received / single.received, 0.3);
    limit("writes of an idle member in 2 s", await idleWrites(), 1.05);
    await killOne();
    for (const replica of replicas) await replica.stop();
    replicas = [new Replica(config, true)];
    await until("the first replica", replicas, (reported) => reconciled(reported) === objects);
    addSize("1", await reports(replicas, { collect: true }), empty);
    for (const wanted of [2, 5, 3]) await rescale(config, wanted, empty);
  });
  await withServer(false, async (config) => {
    // The ended replicas of the first part have owned everything until now.
    await deleteLeases(config);
    const size = addSize("4, the server doesn't filter", await startAll(config), empty);
    limit("heap without the server's filter / without sharding", size.heap / single.heap, 0.3);
    limit("bytes without the server's filter / without sharding", size.received / single.received, 1.05);
  });
  for (const row of [...sizes, ...rows]) console.log(row.join("  "));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
