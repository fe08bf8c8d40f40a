import type { KubernetesObject } from "../../api/index.ts";
import { createLiveClient } from "../../client/live-client.ts";
import { rawPatch } from "../../client/patch.ts";
import { createRestMapper } from "../../discovery/rest-mapper.ts";
import type { Transport } from "../../transport/transport.ts";
import type { Actor } from "../schedule/actor.ts";
import type { Scheduler } from "../schedule/scheduler.ts";

/** Annotation by which another client changes objects. */
export const touched = "simulation.kubewright.dev/touched";

/** Changes the annotation of an object on behalf of another client, at once. */
export async function touchObject(
  object: KubernetesObject,
  value: string,
  { server, scheduler }: { server: Transport; scheduler: Scheduler },
  client: Actor,
): Promise<void> {
  const { actor } = scheduler;
  scheduler.actor = client;
  const patch = rawPatch("application/merge-patch+json", { metadata: { annotations: { [touched]: value } } });
  await createLiveClient({ transport: server, mapper: createRestMapper(server) })
    .patch(object, patch)
    .catch(() => {});
  scheduler.actor = actor;
}
