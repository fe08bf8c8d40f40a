import type { ApiServer } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import type { ObjectKey, Stored } from "../../client/client.ts";
import type { Kind } from "../../kind.ts";
import type { UserClient } from "./user-client.ts";
import type { External, World } from "./world.ts";

/** The parts of a run that its world consists of. They exist when the scenario begins. */
export interface WorldHost extends Pick<World, "restart" | "fault" | "random"> {
  client(): UserClient;
  external(): External;
  server(): ApiServer;
  /** Resolves at a virtual time, or when the world is settled. */
  wait(milliseconds: number | undefined): Promise<void>;
}

/** Creates the world that scenarios and invariants see. */
export function createWorld(host: WorldHost): World {
  const inVersion = <T extends KubernetesObject>(kind: Kind<T>, found: object): Stored<T> =>
    ({ ...found, apiVersion: kind.apiVersion }) as unknown as Stored<T>;
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
      const found = host.server().observation.object(kind.group, kind.kind, namespace, name);
      return found && inVersion(kind, found);
    },
    list: <T extends KubernetesObject>(kind: Kind<T>) =>
      host
        .server()
        .observation.objects(kind.group, kind.kind)
        .map((found) => inVersion(kind, found)),
    restart: () => host.restart(),
    fault: (name, options) => host.fault(name, options),
    random: () => host.random(),
  };
}
