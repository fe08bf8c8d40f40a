import type { KubernetesObject } from "../../api/index.ts";
import { groupVersion } from "../../api/kind.ts";
import { createLiveClient } from "../../client/live-client.ts";
import { createRestMapper } from "../../discovery/rest-mapper.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import { errorText } from "../../log/error-text.ts";
import { convertedInProcess } from "../world/conversions.ts";
import type { RunWorld } from "../world/run-world.ts";
import type { Version } from "./version.ts";

/** An object that is deployed with the operator. */
interface Deployed extends KubernetesObject {
  readonly spec?: unknown;
}

/**
 * Applies the definitions and admission policies of a version at once, as somebody who installs the operator does. Others remain.
 *
 * @param world - the run
 * @param version - the version
 * @returns why the server rejects one
 */
export async function applyDefinitions(
  { server, scheduler, actors, timeline }: RunWorld,
  { definitions, policies, name: version }: Version,
): Promise<string | undefined> {
  const { actor } = scheduler;
  scheduler.actor = actors.cluster;
  try {
    const client = createLiveClient({ transport: server, mapper: createRestMapper(server) });
    const converted = convertedInProcess(definitions) as readonly Deployed[];
    for (const object of [...converted, ...(policies as readonly Deployed[])]) {
      const { apiVersion = "", kind, metadata: { name = "" } = {}, spec } = object;
      const [group = "", groupsVersion = ""] = apiVersion.split("/");
      const type = groupVersion(group, groupsVersion).kind<Deployed>(kind ?? "");
      const stored = await ignoreNotFound(client.get(type, { name }));
      if (stored && JSON.stringify(stored.spec) === JSON.stringify(spec)) continue;
      const note = () => timeline.add("simulation", "crds", `${kind} ${name}`, "", `those of ${version}`);
      try {
        const { metadata } = await (stored
          ? client.update({ ...stored, spec })
          : client.create({ ...object, metadata: { name } }));
        // Defaults of the server make the specification differ, but change nothing.
        if (metadata?.resourceVersion !== stored?.metadata?.resourceVersion) note();
      } catch (error) {
        note();
        return `the server rejects the ${kind} ${name} of ${version}: ${errorText(error)}`;
      }
    }
    return undefined;
  } finally {
    scheduler.actor = actor;
  }
}

/** Returns an object as a client of any kind reads it. */
export type AnyObject = KubernetesObject & Record<string, unknown>;
