// Sends the objects of the validation tests of Kubernetes to a server.
import { readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { Send } from "../api-builtin/send.ts";
import { comparable, remove } from "../api-builtin/send.ts";
import { inFixedOrder } from "./order.ts";

/** The arguments of a validation: an object, and for updates the one that it replaces. */
export type Row = readonly [object: JsonObject, old?: JsonObject];

interface Resource {
  name: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
}

const groups = JSON.parse(
  readFileSync(new URL("../../packages/apiserver/data/1.37/resources.json", import.meta.url), "utf8"),
) as {
  name: string;
  versions: { version: string; resources: Resource[] }[];
}[];

function resourceOf({ apiVersion, kind }: JsonObject): Resource | undefined {
  for (const { name, versions } of groups) {
    for (const { version, resources } of versions) {
      if ((name === "" ? version : `${name}/${version}`) !== apiVersion) continue;
      const resource = resources.find(
        (resource) => resource.kind === kind && !resource.name.includes("/") && resource.verbs.includes("create"),
      );
      if (resource) return resource;
    }
  }
  return undefined;
}

/** Assigned values, which differ between servers. */
const assigned = new Set(["clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort"]);

/** The parts of Pods that clients write on their own. */
export const subresources: readonly string[] = ["status", "ephemeralcontainers", "resize"];

/**
 * Creates or replaces the object of a row.
 *
 * @param row - the row
 * @param send - sends a request
 * @param subresource - the part of the object to replace; empty for the object itself
 * @returns the answer without what differs between servers; undefined if the server doesn't serve the kind, or rejects the
 * object to be replaced
 */
export async function answerTo([object, old]: Row, send: Send, subresource = ""): Promise<Json | undefined> {
  const resource = resourceOf(object);
  if (resource === undefined) return undefined;
  const { apiVersion } = object as { apiVersion: string };
  const base = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  const path = `${base}${resource.namespaced ? "/namespaces/default" : ""}/${resource.name}`;
  const sent = (one: JsonObject): JsonObject => withMetadata(one, resource.namespaced);
  if (old === undefined) return shown(await send("POST", `${path}?dryRun=All`, sent(object)));
  const before = sent(old);
  const created = await send("POST", path, before);
  if (created.code !== 201) return undefined;
  try {
    const next = sent(object);
    const at = `${path}/${encodeURIComponent(String((created.body.metadata as JsonObject).name))}`;
    let stored = created.body;
    if (subresource !== "") {
      const status = { ...(stored.status as JsonObject), ...(before.status as JsonObject) };
      const answer = await send("PUT", `${at}/status`, { ...stored, status });
      if (answer.code !== 200) return shown(answer);
      stored = answer.body;
    }
    const { resourceVersion } = stored.metadata as JsonObject;
    next.metadata = { ...(next.metadata as JsonObject), resourceVersion: resourceVersion as Json };
    const part = subresource === "" ? "" : `/${subresource}`;
    return shown(await send("PUT", `${at}${part}?dryRun=All`, next));
  } finally {
    await remove(send, path, created.body);
  }
}

function withMetadata(object: JsonObject, namespaced: boolean): JsonObject {
  const {
    creationTimestamp: _,
    resourceVersion: __,
    uid: ___,
    deletionTimestamp: ____,
    ...metadata
  } = (isObject(object.metadata) ? object.metadata : {}) as JsonObject;
  const { namespace: _____, ...unplaced } = metadata;
  return { ...object, metadata: namespaced ? { ...metadata, namespace: "default" } : unplaced };
}

function shown(answer: Awaited<ReturnType<Send>>): Json {
  return inFixedOrder(withoutAssigned(comparable(answer)));
}

function withoutAssigned(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutAssigned);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !assigned.has(key) && key !== "managedFields");
  return Object.fromEntries(entries.map(([key, nested]) => [key, withoutAssigned(nested as Json)]));
}
