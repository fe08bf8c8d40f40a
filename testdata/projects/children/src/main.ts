/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { getConfigOrDie, Manager, managerOptions, parseManagerFlags, setupSignalHandler } from "@kubewright/runtime";
import { CaptainReconciler } from "./controller/captain-controller.ts";
import { FleetLogReconciler } from "./controller/fleet-log-controller.ts";
// +kubebuilder:scaffold:imports

async function main(): Promise<void> {
  const flags = parseManagerFlags();
  const mgr = await Manager.create(getConfigOrDie(flags), {
    ...managerOptions(flags),
    // Must match the Lease in config/rbac/leader_election_role.yaml.
    leaderElectionID: "67a9c9d2.example.com",
    // The next leader takes over without waiting for the lease to expire. The process must exit when the manager stops.
    leaderElectionReleaseOnCancel: true,
  });

  await new CaptainReconciler(mgr.client).setupWithManager(mgr);
  await new FleetLogReconciler(mgr.client).setupWithManager(mgr);
  // +kubebuilder:scaffold:builder

  mgr.logger.info("Starting manager");
  await mgr.start(setupSignalHandler());
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  // Exit so that nothing keeps running after the manager failed or lost its lease.
  process.exit(1);
});
