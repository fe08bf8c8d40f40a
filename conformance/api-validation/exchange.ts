// Sends the objects of the validation tests of Kubernetes to a server.
import { readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject } from "../../apiserver/src/json/json.ts";
import type { Send } from "../api-builtin/send.ts";
import { comparable, remove } from "../api-builtin/send.ts";

/** The arguments of a validation: an object, and for updates the one that it replaces. */
export type Row = readonly [object: JsonObject, old?: JsonObject];

interface Resource {
  name: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
}

const groups = JSON.parse(readFileSync(new URL("../../apiserver/data/resources.json", import.meta.url), "utf8")) as {
  name: string;
  versions: { version: string; resources: Resource[] }[];
}[];

function resourceOf({ apiVersion, kind }: JsonObject): Resource | undefined {
  for (const { name, versions } of groups) {
    for (const { version, resources } of versions) {
      if ((name === "" ? version : `${name}/${version}`) !== apiVersion) continue;
      const found = resources.find(
        (one) => one.kind === kind && !one.name.includes("/") && one.verbs.includes("create"),
      );
      if (found) return found;
    }
  }
  return undefined;
}

/** Assigned values, which differ between servers. */
const assigned = new Set(["clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort"]);

/**
 * Creates or replaces the object of a row.
 *
 * @param row - the row
 * @param send - sends a request
 * @returns the answer without what differs between servers; undefined if the server doesn't serve the kind, or refuses the
 * object to be replaced
 */
export async function answerTo([object, old]: Row, send: Send): Promise<Json | undefined> {
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
    const { resourceVersion, name } = created.body.metadata as JsonObject;
    next.metadata = { ...(next.metadata as JsonObject), resourceVersion: resourceVersion as Json };
    return shown(await send("PUT", `${path}/${encodeURIComponent(String(name))}?dryRun=All`, next));
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
  return withSortedCauses(withoutAssigned(comparable(answer)));
}

/** The path of an entry of a map. The server looks at these in a random order. */
const entryPath = /\[[^\]]*[^\]\d][^\]]*\]/;

/**
 * Sorts the causes of a refusal that concern entries of maps, and takes the same causes out of its message.
 *
 * @param answer - an answer
 * @returns the answer, or a changed copy
 */
export function withSortedCauses(answer: Json): Json {
  const { body } = answer as { body: JsonObject };
  const causes = (isObject(body?.details) ? (body.details.causes ?? []) : []) as { field: string; message: string }[];
  const entries = causes.filter(({ field }) => entryPath.test(field));
  if (entries.length < 2) return answer;
  const texts = (cause: { field: string; message: string }): string => `${cause.field}: ${cause.message}`;
  const sorted = [...entries].sort((a, b) => (texts(a) < texts(b) ? -1 : 1));
  const ordered = causes.map((cause) => (entryPath.test(cause.field) ? (sorted.shift() ?? cause) : cause));
  const message = String(body.message).replace(/ is invalid: .*/s, " is invalid");
  return {
    ...(answer as JsonObject),
    body: { ...body, message, details: { ...(body.details as JsonObject), causes: ordered } },
  };
}

function withoutAssigned(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutAssigned);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !assigned.has(key) && key !== "managedFields");
  return Object.fromEntries(entries.map(([key, nested]) => [key, withoutAssigned(nested as Json)]));
}
