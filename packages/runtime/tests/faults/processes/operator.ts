// An operator of Widgets in a separate process, so that its memory can be measured. It reports its state over its channel.
import { newControllerManagedBy } from "../../../src/builder/builder.ts";
import { createLogger } from "../../../src/log/create-logger.ts";
import { Manager } from "../../../src/manager/manager.ts";
import { ConfigMap, Widget, WidgetReconciler } from "../../../src/manager/widget.fixture.ts";
import type { OperatorState } from "../operator-process.ts";

const collectGarbage = (globalThis as { gc?: () => void }).gc;
if (!collectGarbage || !process.send) throw new Error("run by OperatorProcess, with --expose-gc and a channel");

const [host = ""] = process.argv.slice(2);
const manager = await Manager.create({ host }, { metrics: { bindAddress: "0" }, logger: createLogger() });
const reconciler = new WidgetReconciler(manager.client);
await newControllerManagedBy(manager)
  .for(Widget)
  .owns(ConfigMap)
  .withOptions({ maxConcurrentReconciles: 4 })
  .complete(reconciler);

const stop = new AbortController();
let unhandled = 0;
let reconciles = 0;
process.on("unhandledRejection", () => unhandled++);
process.on("message", (message) => {
  if (message === "stop") stop.abort();
  else void tell();
});
// Exits together with its parent.
process.on("disconnect", () => process.exit(stop.signal.aborted ? 0 : 1));

async function tell(): Promise<void> {
  reconciles += reconciler.reconciles.length;
  reconciler.reconciles.length = 0;
  collectGarbage?.();
  const { heapUsed, rss, external } = process.memoryUsage();
  const { items } = await manager.cache.list(Widget, { shared: true });
  const cached = items.map(({ metadata }) => metadata.name);
  process.send?.({ reconciles, unhandled, heapUsed, external, rss, cached } satisfies OperatorState);
}

await manager.start(stop.signal);
process.disconnect();
