import type { KubernetesObject } from "../api/index.ts";
import { splitApiVersion } from "../api/kind.ts";
import { collectionPath } from "../client/resource.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { isJsonObject, type JsonObject, ownField } from "../json/object.ts";
import { parseJson } from "../json/parse.ts";
import { lastApplied } from "../log/redact.ts";
import type { HookedManager } from "../manager/hooks.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import type { PlanRecords } from "./plan-records.ts";
import { nowhere } from "./positions.ts";

const mergePatch = { query: { fieldManager: "kubectl" }, contentType: "application/merge-patch+json" } as const;

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
      const target = `${path}/${encodeURIComponent(name)}`;
      const removed = await removedFields(transport, target, given);
      records.isOfUser = true;
      await transport.request({
        method: "PATCH",
        path: target,
        query: { fieldManager: "kubectl", force: true },
        contentType: "application/apply-patch+yaml",
        body: within === "" ? given : { ...given, metadata: { ...metadata, namespace: within } },
      });
      if (removed) await transport.request({ method: "PATCH", path: target, ...mergePatch, body: removed });
    } catch (error) {
      records.fail("write", error, { controller: "", object: { kind, namespace: within, name } }, nowhere);
    } finally {
      records.isOfUser = false;
    }
  }
}

/** Returns a merge patch without the fields that kubectl has applied before, as `kubectl apply` removes them. */
async function removedFields(transport: Transport, path: string, given: object): Promise<JsonObject | undefined> {
  const stored = await ignoreNotFound(transport.request({ method: "GET", path }));
  const text = (stored?.body as KubernetesObject | undefined)?.metadata?.annotations?.[lastApplied];
  if (text === undefined) return undefined;
  const before: unknown = parseJson(text);
  return isJsonObject(before) ? missingFields(comparable(before), comparable(given as JsonObject)) : undefined;
}

/** The fields of a manifest that a user can remove. */
function comparable({ apiVersion: _, kind: __, status: ___, metadata, ...content }: JsonObject): JsonObject {
  const { labels, annotations } = (metadata ?? {}) as KubernetesObject["metadata"] & object;
  return { ...content, metadata: { labels: labels ?? {}, annotations: annotations ?? {} } };
}

function missingFields(before: JsonObject, now: JsonObject): JsonObject | undefined {
  const missing = Object.entries(before).flatMap(([key, value]): [string, unknown][] => {
    const next = ownField(now, key);
    if (next === undefined) return [[key, null]];
    const within = isJsonObject(value) && isJsonObject(next) ? missingFields(value, next) : undefined;
    return within ? [[key, within]] : [];
  });
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}
