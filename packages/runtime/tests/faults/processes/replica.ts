// One replica of an operator with leader election, probes and a webhook. REPLICA contains the settings as JSON. The leader
// creates a ConfigMap for each Widget with its own name, the Widget's color and an increasing number. All writes use
// optimistic locking.
import { newControllerManagedBy } from "../../../src/builder/builder.ts";
import { createOrUpdate } from "../../../src/controllerutil/create-or-update.ts";
import { ignoreNotFound } from "../../../src/errors/predicates.ts";
import { createLogger } from "../../../src/log/create-logger.ts";
import { Manager } from "../../../src/manager/manager.ts";
import { setupSignalHandler } from "../../../src/manager/signals.ts";
import { ConfigMap, Widget } from "../../../src/manager/widget.fixture.ts";
import { allowed } from "../../../src/webhook/admission/response.ts";
import type { ReplicaSettings } from "../replica.ts";

const { name, config, manager: options, pause }: ReplicaSettings = JSON.parse(process.env.REPLICA ?? "");

const mgr = await Manager.create(config, {
  metrics: { bindAddress: "0" },
  leaderElectionLabels: { candidate: name },
  logger: createLogger(),
  ...options,
});
await newControllerManagedBy(mgr)
  .for(Widget)
  .owns(ConfigMap)
  .complete({
    async reconcile(_ctx, req) {
      const widget = await ignoreNotFound(mgr.client.get(Widget, req));
      if (!widget) return;
      const child: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...req } };
      await createOrUpdate(mgr.client, child, (map) => {
        if (pause === undefined && map.data?.color === widget.spec.color) return;
        map.data = { color: widget.spec.color, writer: name, turn: String(Number(map.data?.turn ?? 0) + 1) };
      });
      return pause === undefined ? undefined : { requeueAfter: pause };
    },
  });
if (options.webhook) mgr.webhookServer.register("/validate", { handle: () => allowed() });
try {
  await mgr.start(setupSignalHandler());
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
process.exit(0);
