// Sends the writes of a kind to a server and brings the answers into a form that doesn't depend on the server.
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { type Changes, changed, type KindCases } from "./case.ts";

/** The answer of a server. */
export interface Answer {
  code: number;
  warnings: string[];
  body: JsonObject;
}

/** Sends a request to one server. */
export type Send = (method: string, path: string, body?: JsonObject) => Promise<Answer>;

/** A write and its name. */
export interface Write {
  name: string;
  run(send: Send): Promise<Json>;
}

/**
 * Lists the writes of a kind.
 *
 * @param cases - the cases of the kind
 * @param prefix - a text for unique names
 * @returns the writes, which can be sent to several servers
 */
export function writesOf(
  { path, object, creations, updates, statuses, subresources, pairs }: KindCases,
  prefix: string,
): Write[] {
  let count = 0;
  const writes: Write[] = [];
  const named = (changes: Changes): JsonObject => {
    const own = changed(object, changes);
    const metadata = own.metadata as JsonObject | undefined;
    if (metadata?.name !== (object.metadata as JsonObject).name || changes["metadata/name"] !== undefined) return own;
    // A % in the name stands for the number of the case; by default, the number is the end of the name.
    const name = String(metadata?.name);
    const number = `${prefix}${count}`;
    return {
      ...own,
      metadata: { ...metadata, name: name.includes("%") ? name.replace("%", number) : `${name}-${number}` },
    };
  };
  const create = (name: string, changes: Changes): void => {
    const body = named(changes);
    count++;
    writes.push({
      name: `create ${object.kind}: ${name}`,
      async run(send) {
        const answer = await send("POST", path, body);
        await remove(send, path, body);
        return comparable(answer);
      },
    });
  };
  const update = (name: string, first: Changes, second: Changes, subresource: string): void => {
    const body = named(first);
    count++;
    writes.push({
      name: `update ${object.kind}${subresource}: ${name}`,
      async run(send) {
        const created = await send("POST", path, body);
        const at = `${path}/${(body.metadata as JsonObject).name}`;
        if (created.code !== 201) return { unexpected: comparable(created) };
        const next = changed(created.body, second);
        const { resourceVersion } = created.body.metadata as JsonObject;
        (next.metadata as JsonObject).resourceVersion ??= resourceVersion as string;
        const answer = await send("PUT", at + subresource, next);
        await remove(send, path, body);
        return comparable(answer);
      },
    });
  };
  create("valid", {});
  for (const [name, changes] of Object.entries(creations ?? {})) create(name, changes);
  for (const [name, changes] of Object.entries(updates ?? {})) update(name, {}, changes, "");
  for (const [name, changes] of Object.entries(statuses ?? {})) update(name, {}, changes, "/status");
  for (const [subresource, cases] of Object.entries(subresources ?? {})) {
    for (const [name, changes] of Object.entries(cases)) update(name, {}, changes, `/${subresource}`);
  }
  for (const [name, [first, second]] of Object.entries(pairs ?? {})) update(name, first, second, "");
  return writes;
}

export async function remove(send: Send, path: string, { metadata }: JsonObject): Promise<void> {
  const { name } = (metadata ?? {}) as JsonObject;
  if (typeof name === "string" && name !== "") {
    await send("DELETE", `${path}/${encodeURIComponent(name)}?gracePeriodSeconds=0&propagationPolicy=Background`);
  }
}

/** Removes what differs between two servers: times, identifiers, assigned addresses and credentials. */
export function comparable({ code, warnings, body }: Answer): Json {
  return { code, warnings, body: masked(body, "") };
}

const credential = "authentication.kubernetes.io/credential-id";
const random = new Set(["uid", "resourceVersion", "username", "controller-uid", "batch.kubernetes.io/controller-uid"]);

function masked(value: Json | undefined, key: string): Json {
  if (Array.isArray(value)) return value.map((item) => masked(item, key));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.keys(value)
        .filter((name) => !(name === "extra" && isObject(value[name]) && credential in value[name]))
        .sort()
        .map((name) => [name, random.has(name) && typeof value[name] === "string" ? "…" : masked(value[name], name)]),
    );
  }
  if (key === "nodePort" && typeof value === "number" && value >= 30_086) return "…";
  if (typeof value !== "string") return value ?? null;
  return value
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
    .replace(/\b20[2-9]\d-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\b10\.0\.0\.(1[7-9]|[2-9]\d|1\d\d|2\d\d)\b/g, "ADDRESS");
}
