import type { OperatorProcess } from "./process.ts";
import type { RunWorld } from "./run-world.ts";
import { titleOf } from "./state.ts";

/**
 * Adds each write to the state and to the timeline.
 *
 * @param world - the parts of the run
 * @param processes - the processes of the operator
 * @returns a function that ends it
 */
export function recordWrites(
  { api, scheduler, state, timeline }: RunWorld,
  processes: readonly OperatorProcess[],
): () => void {
  return api.observation.onWrite((write) => {
    const { actor } = scheduler;
    const process = processes.find((candidate) => candidate.actor === actor);
    const isEffect = state.apply(write, actor.name, (process?.reconciles.size ?? 0) > 0);
    if (write.isNew) process?.created(write.after);
    timeline.write(actor, titleOf(write), write, isEffect);
  });
}
