import { RequestError, type Revisions } from "@kubewright/dashboard/protocol";
import type { DevCluster } from "../cluster/cluster.ts";
import type { ObjectStore } from "../store/objects.ts";
import type { SessionEvents } from "../store/session-events.ts";

/** The parts of a session that {@link ClusterRevisions} uses. */
export interface ClusterRevisionsParts {
  readonly cluster: Pick<DevCluster, "travel">;
  readonly events: SessionEvents;
  readonly objects: ObjectStore;
  /** Restarts the manager. */
  readonly restart: () => void;
}

/** The changes of the project's objects, to which an embedded cluster can return. */
export class ClusterRevisions {
  readonly #parts: ClusterRevisionsParts;

  /** @param parts - the cluster and its objects */
  constructor(parts: ClusterRevisionsParts) {
    this.#parts = parts;
  }

  /** Returns the last changes. */
  list(limit: number): Revisions {
    const { travel } = this.#parts.cluster;
    const changes = this.#parts.objects.changes(limit);
    return {
      restorable: travel !== undefined,
      revision: travel?.revision() ?? changes[0]?.revision ?? 0,
      changes,
    };
  }

  /** @throws RequestError if the cluster can't be restored to the revision */
  restore(revision: number): void {
    const { cluster, events, restart } = this.#parts;
    if (!cluster.travel)
      throw new RequestError(
        409,
        "only the embedded API server can be restored",
        "run npx scaffold dev without --cluster and --engine",
      );
    try {
      cluster.travel.restore(revision);
    } catch (error) {
      throw new RequestError(400, `can't restore revision ${revision}: ${(error as Error).message}`);
    }
    events.note(`restored the cluster to revision ${revision}`);
    // Caches take a lower revision for an old answer, so only a new manager sees the restored objects.
    restart();
  }
}
