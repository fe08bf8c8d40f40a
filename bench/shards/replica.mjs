// A replica of an operator whose objects have a ConfigMap each: replica.mjs SETTINGS, a JSON object. Answers the messages of its
// parent with what it holds and what it has received. Needs --expose-gc.
// JavaScript with checked types, because this process is measured, and would spend time on a loader of TypeScript.
// @ts-check
import { readFileSync } from "node:fs";
import { createTransport, groupVersion, Manager, newControllerManagedBy, silentLogger } from "@kubewright/runtime";

/** @typedef {import("@kubewright/runtime").Transport} Transport */
/** @typedef {import("@kubewright/runtime").TransportRequest} TransportRequest */
/** @typedef {import("@kubewright/runtime/api").KubernetesObject} KubernetesObject */
/** @typedef {{ config: import("@kubewright/runtime").Config, sharding: boolean }} Settings */
/**
 * Counts from the start of a replica on.
 *
 * @typedef {object} Counts
 * @property {number} listed - objects and children that lists and initial events have contained
 * @property {number} acquired - objects of the ranges that it has acquired
 * @property {number} moves - ranges that it has acquired or released
 * @property {number} leaseWrites - writes of Leases, without those of leader election
 */
/**
 * The answer of a replica.
 *
 * @typedef {object} State
 * @property {number} objects - reconciled objects in its cache
 * @property {number} reconciled - different objects that it has reconciled
 * @property {number} received - bytes that it has read
 * @property {number} heap - bytes of its heap, only after `collect`
 */
/** @typedef {Counts & State} Report */

/** @type {Settings} */
const { config, sharding } = JSON.parse(process.argv[2] ?? "");
const id = "records.bench.kubewright.dev";
/** @type {Counts} */
const counts = { listed: 0, acquired: 0, moves: 0, leaseWrites: 0 };
/** @type {Set<string>} */
const reconciled = new Set();
/** The bytes that this process has read, from files and connections. */
const read = () => Number(/^rchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);

const initialEventsEnd = "k8s.io/initial-events-end";
/** @param {string} path */
const isMeasured = (path) => /\/(records|configmaps)$/.test(path);

/**
 * Counts the initial events of a watch.
 *
 * @param {AsyncIterable<unknown>} events
 */
async function* counted(events) {
  let isInitial = true;
  for await (const event of events) {
    const { type, object } = /** @type {{ type: string, object: KubernetesObject }} */ (event);
    if (object.metadata?.annotations?.[initialEventsEnd] === "true") isInitial = false;
    else if (isInitial && type === "ADDED") counts.listed++;
    yield event;
  }
}

/** @param {TransportRequest} request */
function countLeaseWrite({ method, path }) {
  if (method === "GET" || !path.includes("/leases") || path.endsWith(`/${id}`)) return;
  counts.leaseWrites++;
}

/** @type {Transport} */
const inner = createTransport(config);
/** @type {Transport} */
const transport = {
  async request(request) {
    countLeaseWrite(request);
    const response = await inner.request(request);
    const { items } = /** @type {{ items?: unknown[] }} */ (response.body ?? {});
    // Counting the keys for a table needs a list of metadata.
    const isWhole = !request.accept?.includes("PartialObjectMetadata");
    if (request.method === "GET" && items && isWhole && isMeasured(request.path)) counts.listed += items.length;
    return response;
  },
  async stream(request) {
    const stream = await inner.stream(request);
    if (!request.query?.sendInitialEvents || !isMeasured(request.path)) return stream;
    const events = counted(stream);
    return { [Symbol.asyncIterator]: () => events, close: () => stream.close() };
  },
  close: () => inner.close(),
};

/** @type {import("@kubewright/runtime").Logger} */
const logger = {
  ...silentLogger,
  info(message, fields) {
    if (message === "Range acquired") counts.acquired += Number(fields?.objects);
    if (message === "Range acquired" || message === "Range released") counts.moves++;
  },
  error: (error, message) => process.stderr.write(`${message}: ${String(error)}\n`),
  with: () => logger,
};

/** @type {import("@kubewright/runtime").Kind<KubernetesObject>} */
const Record = groupVersion("bench.kubewright.dev", "v1").kind("Record", { plural: "records", scope: "Namespaced" });
/** @type {import("@kubewright/runtime").Kind<KubernetesObject>} */
const ConfigMap = groupVersion("", "v1").kind("ConfigMap", { plural: "configmaps", scope: "Namespaced" });
const mgr = await Manager.create(config, {
  transport,
  logger,
  metrics: { bindAddress: "0" },
  healthProbeBindAddress: "0",
  leaderElection: sharding,
  leaderElectionID: id,
  leaderElectionNamespace: "default",
  leaderElectionReleaseOnCancel: true,
  sharding,
});
await newControllerManagedBy(mgr)
  .for(Record)
  .owns(ConfigMap)
  .withOptions({ maxConcurrentReconciles: 10 })
  .complete({
    async reconcile(_ctx, { namespace, name }) {
      reconciled.add(`${namespace}/${name}`);
    },
  });

/** @param {boolean} collect */
async function report(collect) {
  await mgr.cache.waitForSync(stop.signal);
  // Copies of all objects would take the time of the other replicas.
  const options = { shared: true, ...(sharding && { sharded: true }) };
  const { items } = await mgr.client.list(Record, options);
  const objects = items.length;
  if (collect) for (let time = 0; time < 3; time++) globalThis.gc?.();
  const heap = collect ? process.memoryUsage().heapUsed : 0;
  return { ...counts, objects, reconciled: reconciled.size, received: read() - atStart, heap };
}

const stop = new AbortController();
process.on("message", (message) => {
  if (message === "stop") stop.abort();
  else void report(message === "collect").then((answer) => process.send?.(answer));
});
const atStart = read();
await mgr.start(stop.signal);
process.send?.(counts, () => process.disconnect());
