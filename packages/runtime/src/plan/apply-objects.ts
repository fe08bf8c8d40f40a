import type { KubernetesObject } from "../api/index.ts";
import { splitApiVersion } from "../api/kind.ts";
import { collectionPath } from "../client/resource.ts";
import type { HookedManager } from "../manager/hooks.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { PlanRecords } from "./plan-records.ts";
import { nowhere } from "./positions.ts";

/**
 * Applies objects in the plan, as the user of the kubeconfig. An object that can't be applied is a failure of the plan.
 *
 * @param manager - the manager of the plan
 * @param objects - the objects
 * @param records - what the plan finds
 * @param namespace - the namespace of objects that don't name theirs
 */
export async function applyObjects(
  { config: own, mapper, logger }: HookedManager,
  objects: readonly KubernetesObject[],
  records: PlanRecords,
  namespace: string,
): Promise<void> {
  if (objects.length === 0) return;
  // They are changes of the user, not of the ServiceAccount.
  const { impersonate: _, ...config } = own;
  const transport = createTransport(config, { logger });
  for (const given of objects) {
    const { apiVersion = "", kind = "", metadata } = given;
    const name = metadata?.name ?? "";
    let within = metadata?.namespace ?? "";
    try {
      if (apiVersion === "" || kind === "" || name === "") {
        throw new Error("an object to apply must have apiVersion, kind and metadata.name");
      }
      const [group, version] = splitApiVersion(apiVersion);
      const mapping = await mapper.mapping(group, version, kind);
      if (!mapping.namespaced) within = "";
      else if (within === "") within = namespace;
      const path = collectionPath({ group, version, kind, apiVersion, ...mapping }, within || undefined);
      records.isOfUser = true;
      await transport.request({
        method: "PATCH",
        path: `${path}/${encodeURIComponent(name)}`,
        query: { fieldManager: "kubectl", force: true },
        contentType: "application/apply-patch+yaml",
        body: within === "" ? given : { ...given, metadata: { ...metadata, namespace: within } },
      });
    } catch (error) {
      records.fail("write", error, { controller: "", object: { kind, namespace: within, name } }, nowhere);
    } finally {
      records.isOfUser = false;
    }
  }
}
