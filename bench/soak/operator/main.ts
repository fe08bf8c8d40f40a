// Runs the soak operator in its own process: `main.ts SETTINGS`, with the settings as JSON. Reports its state over its
// channel.
import { setImmediate as turn } from "node:timers/promises";
import { getHeapCodeStatistics, writeHeapSnapshot } from "node:v8";
import {
  allowed,
  createLogger,
  ExponentialBackoff,
  type Kind,
  Manager,
  newControllerManagedBy,
  PriorityQueue,
  type Request,
} from "@kubewright/runtime";
import { Namespace, Secret } from "@kubewright/runtime/api/core/v1";
import { ConfigMap, Widget } from "../../../packages/runtime/src/manager/widget.fixture.ts";
import { requestKey } from "../../../packages/runtime/src/reconcile/request.ts";
import { Candidates } from "./candidates.ts";
import { NamespaceReconciler } from "./namespaces.ts";
import { certificateNames, type OperatorSettings, type SoakState, soakLabel } from "./protocol.ts";
import { WidgetReconciler } from "./widgets.ts";

const collectGarbage = (globalThis as { gc?: () => void }).gc;
if (!collectGarbage || !process.send) throw new Error("run by OperatorProcess, with --expose-gc and a channel");

/** Counts the keys with recorded failures. */
class CountedBackoff extends ExponentialBackoff {
  readonly keys = new Set<string>();

  override when(key: string): number {
    this.keys.add(key);
    return super.when(key);
  }

  override forget(key: string): void {
    this.keys.delete(key);
    super.forget(key);
  }
}

// Parsed source maps would use more of the heap than the operator, and grow with each new error.
process.setSourceMapsEnabled(false);

const { host, webhookPort, validFor, term }: OperatorSettings = JSON.parse(process.argv[2] ?? "");
const logger = createLogger({ level: "error" });
let [reviews, unhandled] = [0, 0];
const manager = await Manager.create(
  { host },
  {
    leaderElection: true,
    leaderElectionID: "soak",
    leaderElectionNamespace: "default",
    // Longer than any outage of the soak, so that this process keeps its Lease. It renews the Lease every second.
    leaseDuration: 300_000,
    renewDeadline: 240_000,
    retryPeriod: 1000,
    cache: { defaultLabelSelector: `${soakLabel}=yes` },
    metrics: { bindAddress: "127.0.0.1:0" },
    logger,
    webhook: {
      host: "127.0.0.1",
      port: webhookPort,
      selfManagedCertificates: {
        secret: { namespace: "default", name: certificateNames.secret },
        service: { namespace: "default", name: "soak" },
        extraHosts: ["127.0.0.1"],
        caBundleTargets: [{ kind: "ValidatingWebhookConfiguration", name: certificateNames.configuration }],
        validFor,
        caValidFor: 3 * validFor,
        overlap: validFor / 6,
      },
    },
  },
);
const backoff = new CountedBackoff();
const queue = new PriorityQueue<Request>({ keyOf: requestKey, rateLimiter: backoff });
const widgets = new WidgetReconciler(manager.client, manager.recorder("soak"));
const namespaces = new NamespaceReconciler(manager.client, manager.apiReader);
await newControllerManagedBy(manager)
  .for(Widget)
  .owns(ConfigMap)
  .withOptions({ maxConcurrentReconciles: 4, reconciliationTimeout: 120_000, newQueue: () => queue })
  .complete(widgets);
await newControllerManagedBy(manager).for(Namespace).complete(namespaces);
manager.cache.inform(Secret);
manager.webhookServer.register("/validate", {
  handle: () => {
    reviews++;
    return allowed();
  },
});
const candidates = new Candidates({ host }, { log: logger, term });

const stop = new AbortController();
let isReady = false;
process.on("unhandledRejection", () => unhandled++);
process.on("message", (message: string | { snapshot: string }) => {
  if (message === "stop") stop.abort();
  else if (message === "tell") void tell();
  else if (typeof message === "object") process.send?.(writeHeapSnapshot(message.snapshot));
});
// End with the parent process.
process.on("disconnect", () => process.exit(stop.signal.aborted ? 0 : 1));

function sizes(): Record<string, number> {
  const kinds: readonly Kind[] = [Widget, ConfigMap, Secret, Namespace];
  const informers = kinds.map((kind) => manager.cache.inform(kind));
  return {
    "ready in the queue": queue.length,
    "delayed in the queue": queue.delayed,
    "keys with failures": backoff.keys.size,
    "own writes": informers.reduce((sum, { ownWrites }) => sum + ownWrites.size, 0),
    ...Object.fromEntries(informers.map(({ kind, store }) => [`${kind.kind}s in the cache`, store.size])),
  };
}

async function tell(): Promise<void> {
  // Objects with weak references are freed after the second collection.
  collectGarbage?.();
  await turn();
  collectGarbage?.();
  const { heapUsed, rss, external } = process.memoryUsage();
  const { code_and_metadata_size, bytecode_and_metadata_size } = getHeapCodeStatistics();
  const { items } = isReady ? await manager.cache.list(Widget, { shared: true }) : { items: [] };
  process.send?.({
    isReady,
    reconciles: widgets.reconciles,
    unhandled,
    heapUsed,
    code: code_and_metadata_size + bytecode_and_metadata_size,
    external,
    rss,
    cached: items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    sizes: sizes(),
    reviews,
    takeOvers: candidates.takeOvers,
    contradictions: namespaces.contradictions,
  } satisfies SoakState);
}

const running = manager.start(stop.signal);
const rotating = candidates.run(stop.signal);
void Promise.all([manager.cache.waitForSync(stop.signal), manager.webhookServer.ready()]).then(() => {
  isReady = true;
});
await running;
await rotating;
process.disconnect();
