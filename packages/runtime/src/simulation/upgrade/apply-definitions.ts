import type { KubernetesObject } from "../../api/index.ts";
import { groupVersion, type Kind } from "../../api/kind.ts";
import { createLiveClient } from "../../client/live-client.ts";
import { createRestMapper } from "../../discovery/rest-mapper.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import { errorText } from "../../log/error-text.ts";
import type { CRD } from "../../manifests/crds.ts";
import { convertedInProcess } from "../world/conversions.ts";
import type { RunWorld } from "../world/run-world.ts";

const Definition: Kind<CRD> = groupVersion("apiextensions.k8s.io", "v1").kind<CRD>("CustomResourceDefinition");

/**
 * Applies definitions at once, as somebody who installs the operator does. Definitions that aren't among them remain.
 *
 * @param world - the run
 * @param definitions - the definitions
 * @param version - the name of their version
 * @returns why the server rejects one
 */
export async function applyDefinitions(
  { server, scheduler, actors, timeline }: RunWorld,
  definitions: readonly CRD[],
  version: string,
): Promise<string | undefined> {
  const { actor } = scheduler;
  scheduler.actor = actors.cluster;
  try {
    const client = createLiveClient({ transport: server, mapper: createRestMapper(server) });
    for (const definition of convertedInProcess(definitions)) {
      const name = definition.metadata?.name ?? "";
      const stored = await ignoreNotFound(client.get(Definition, { name }));
      if (stored && JSON.stringify(stored.spec) === JSON.stringify(definition.spec)) continue;
      timeline.add("simulation", "crds", `CustomResourceDefinition ${name}`, "", `those of ${version}`);
      try {
        if (stored) await client.update({ ...stored, spec: definition.spec });
        else await client.create({ ...definition, metadata: { name } } as CRD);
      } catch (error) {
        return `the server rejects the CustomResourceDefinition ${name} of ${version}: ${errorText(error)}`;
      }
    }
    return undefined;
  } finally {
    scheduler.actor = actor;
  }
}

/** Returns an object as a client of any kind reads it. */
export type AnyObject = KubernetesObject & Record<string, unknown>;
