import { parseArgs } from "node:util";
import { createLogger, getConfigOrDie, Manager, setupSignalHandler } from "@kubewright/runtime";
import { FanOut } from "./controller/fan-out.ts";
import { Load } from "./controller/load.ts";
import { SampleReconciler } from "./controller/sample-controller.ts";

const flagOptions = {
  mode: { type: "string", default: "work" },
  workers: { type: "string", default: "10" },
} as const;

async function main(): Promise<void> {
  const { values: flags } = parseArgs({ options: flagOptions });
  const logger = createLogger();
  const signal = setupSignalHandler();
  const mgr = await Manager.create(getConfigOrDie(), { logger, metrics: { bindAddress: "127.0.0.1:0" } });
  const reconciler = new SampleReconciler(mgr.client, Number(flags.workers));
  if (flags.mode === "work") {
    reconciler.onFirst = () => console.log(`first ${Date.now()}`);
    await reconciler.setupWithManager(mgr);
  } else if (flags.mode === "fan-out") {
    await new FanOut(mgr, reconciler).setupWithManager(reconciler.workers);
  } else {
    await new Load(mgr, reconciler, flags.mode === "unchanged").setupWithManager(reconciler.workers);
  }
  logger.info("Starting manager");
  await mgr.start(signal);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
