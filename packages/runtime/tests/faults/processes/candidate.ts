// A manager that competes for a lease: `candidate.ts NAME HOST LEASE DEADLINE RETRY LOG`, with certificates in its
// environment. As the leader, it reconciles continuously: it records the start of each reconcile, and patches a ledger
// without optimistic locking. Only leader election separates the writes of two leaders.
import { openSync, writeSync } from "node:fs";
import { newControllerManagedBy } from "../../../src/builder/builder.ts";
import { rawPatch } from "../../../src/client/patch.ts";
import { createLogger } from "../../../src/log/create-logger.ts";
import { Manager } from "../../../src/manager/manager.ts";
import { setupSignalHandler } from "../../../src/manager/signals.ts";
import { Widget } from "../../../src/manager/widget.fixture.ts";

const [name = "", host = "", lease, deadline, retry, log = ""] = process.argv.slice(2);
const { CANDIDATE_CA: ca, CANDIDATE_CERT: cert, CANDIDATE_KEY: key } = process.env;
const starts = openSync(log, "a");

const mgr = await Manager.create(
  { host, ca, cert, key },
  {
    metrics: { bindAddress: "0" },
    leaderElection: true,
    leaderElectionID: "fought-for",
    leaderElectionNamespace: "default",
    leaderElectionLabels: { candidate: name },
    leaderElectionReleaseOnCancel: true,
    leaseDuration: Number(lease),
    renewDeadline: Number(deadline),
    retryPeriod: Number(retry),
    logger: createLogger(),
  },
);
await newControllerManagedBy(mgr)
  .for(Widget)
  .withOptions({ maxConcurrentReconciles: 3 })
  .complete({
    async reconcile() {
      const at = Date.now();
      writeSync(starts, `${at}\n`);
      const ledger = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ledger", namespace: "default" } };
      const data = { holder: name, at: String(at) };
      await mgr.client.patch(ledger, rawPatch("application/merge-patch+json", { data }));
      return { requeueAfter: 4 };
    },
  });
try {
  await mgr.start(setupSignalHandler());
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
