import { createLiveClient } from "../../client/live-client.ts";
import { rawPatch } from "../../client/patch.ts";
import { createRestMapper } from "../../discovery/rest-mapper.ts";
import type { RunWorld } from "./run-world.ts";
import { atStart } from "./state.ts";
import { isBookkeeping, type Target } from "./target.ts";

/** Annotation by which another client changes objects. */
export const touched = "simulation.kubewright.dev/touched";

/**
 * Changes the annotation of an object on behalf of another client, at once.
 *
 * @param world - the parts of the run
 * @param target - the object
 */
export async function touch({ server, scheduler, state, timeline, actors }: RunWorld, target: Target): Promise<void> {
  const tracked = state.find(target);
  if (!tracked) return;
  const isTracked = !isBookkeeping(target) && (tracked.creator === "user" || tracked.creator === atStart);
  const value = String(timeline.faults.conflict);
  const { actor } = scheduler;
  scheduler.actor = actors.someone;
  const patch = rawPatch("application/merge-patch+json", { metadata: { annotations: { [touched]: value } } });
  await createLiveClient({ transport: server, mapper: createRestMapper(server) })
    .patch(tracked.object, patch)
    .catch(() => {});
  scheduler.actor = actor;
  // The operator may own the annotations of its children.
  if (isTracked) state.touches.set(tracked.id, { uid: tracked.object.metadata?.uid, value });
}
