import { getConfigOrDie, Manager, managerOptions, parseManagerFlags, setupSignalHandler } from "@kubewright/runtime";
import { setup } from "./operator.ts";

async function main(): Promise<void> {
  const flags = parseManagerFlags();
  const mgr = await Manager.create(getConfigOrDie(flags), { ...managerOptions(flags), leaderElectionID: "shops" });
  await setup(mgr);
  await mgr.start(setupSignalHandler());
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
