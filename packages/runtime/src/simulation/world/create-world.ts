import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import type { ObjectKey, Stored } from "../../client/client.ts";
import type { OperatorProcess } from "./process.ts";
import type { RunWorld } from "./run-world.ts";
import type { ScenarioWait } from "./scenario-wait.ts";
import { isEndpoints } from "./target.ts";
import type { UserClient } from "./user-client.ts";
import type { External, World } from "./world.ts";

/** The parts of a run that its scenario uses. */
export interface ScenarioParts {
  readonly world: RunWorld;
  readonly client: UserClient;
  readonly external: External;
  readonly externals: Readonly<Record<string, External>>;
  readonly processes: readonly OperatorProcess[];
  readonly wait: ScenarioWait;
  /** Injects a fault. */
  readonly fault: World["fault"];
}

/**
 * Creates the world that scenarios or invariants see.
 *
 * @param parts - the parts of the run
 * @param isShared - whether reads of the same state return the same object. A scenario may change what it has read.
 */
export function createWorld(parts: ScenarioParts, isShared: boolean): World {
  const { client, external, externals, processes, wait, fault } = parts;
  const { api, scheduler, choices, usage } = parts.world;
  const inVersion = <T extends KubernetesObject>(kind: Kind<T>, object: object): Stored<T> =>
    ((object as KubernetesObject).apiVersion === kind.apiVersion
      ? object
      : { ...object, apiVersion: kind.apiVersion }) as unknown as Stored<T>;
  return {
    client,
    external,
    externals,
    settled: () => wait.begin(undefined),
    advance: (milliseconds) => wait.begin(scheduler.now + milliseconds),
    object: <T extends KubernetesObject>(kind: Kind<T>, { namespace = "", name }: ObjectKey) => {
      reads(kind);
      const object = api.observation.object(kind.group, kind.kind, namespace, name, isShared);
      return object && inVersion(kind, object);
    },
    list: <T extends KubernetesObject>(kind: Kind<T>) => {
      reads(kind);
      const objects = api.observation.objects(kind.group, kind.kind, isShared);
      return objects.map((object) => inVersion(kind, object));
    },
    restart: async () => {
      for (const process of processes) process.crash(0);
    },
    fault,
    random: () => {
      usage.usesRandom = true;
      return choices.world.next();
    },
  };

  function reads({ kind }: Kind): void {
    // The controller of endpoints runs only if something reads them.
    if (isEndpoints(kind)) usage.used(kind);
  }
}
