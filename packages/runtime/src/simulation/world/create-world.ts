import type { ApiServer } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import type { ObjectKey, Stored } from "../../client/client.ts";
import type { UserClient } from "./user-client.ts";
import type { External, World } from "./world.ts";

/** The parts of a run that its world consists of. They exist when the scenario begins. */
export interface WorldHost extends Pick<World, "restart" | "fault" | "random"> {
  client(): UserClient;
  external(): External;
  server(): ApiServer;
  /** Called with each kind that is read. */
  reads(kind: Kind): void;
  /** Resolves at a virtual time, or when the world is settled. */
  wait(milliseconds: number | undefined): Promise<void>;
}

/**
 * Creates the world that scenarios or invariants see.
 *
 * @param host - the run
 * @param isShared - whether reads of the same state return the same object. A scenario may change what it has read.
 */
export function createWorld(host: WorldHost, isShared: boolean): World {
  const inVersion = <T extends KubernetesObject>(kind: Kind<T>, found: object): Stored<T> =>
    ((found as KubernetesObject).apiVersion === kind.apiVersion
      ? found
      : { ...found, apiVersion: kind.apiVersion }) as unknown as Stored<T>;
  return {
    get client() {
      return host.client();
    },
    get external() {
      return host.external();
    },
    settled: () => host.wait(undefined),
    advance: (milliseconds) => host.wait(milliseconds),
    object: <T extends KubernetesObject>(kind: Kind<T>, { namespace = "", name }: ObjectKey) => {
      host.reads(kind);
      const found = host.server().observation.object(kind.group, kind.kind, namespace, name, isShared);
      return found && inVersion(kind, found);
    },
    list: <T extends KubernetesObject>(kind: Kind<T>) => {
      host.reads(kind);
      const found = host.server().observation.objects(kind.group, kind.kind, isShared);
      return found.map((one) => inVersion(kind, one));
    },
    restart: () => host.restart(),
    fault: (name, options) => host.fault(name, options),
    random: () => host.random(),
  };
}
