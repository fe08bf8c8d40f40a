// The embedded API server must select shards as kube-apiserver does.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@kubewright/cel/json";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HttpAnswer, openTarget, type Target } from "../api-rows/runner/target.ts";
import { Random } from "../api-schemas/random-schemas.ts";
import { namespaces, randomRequest, type ShardRequest } from "./random-requests.ts";
import { bound, randomSelector, validSelector } from "./random-selectors.ts";

const seed = Number(process.env.SHARDS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const requests = Number(process.env.SHARDS_REQUESTS ?? 1850);
const watches = Number(process.env.SHARDS_WATCHES ?? 150);
const workers = 8;

interface ApiObject extends JsonObject {
  metadata: { name: string; namespace?: string; uid: string; labels?: Record<string, string> };
}

/** A watch; without a selector, it sees all objects. */
interface Plan {
  selector: string | undefined;
  start: Record<string, string>;
  labels: Record<string, string>;
}

interface Event extends JsonObject {
  type: string;
  object: ApiObject;
}

const directory = mkdtempSync(join(tmpdir(), "kubewright-shards-"));
const tokens = join(directory, "tokens.csv");
const environments = (["binaries", "embedded"] as const).map(
  (engine) =>
    new TestEnvironment({
      engine,
      crds: [definition("widgets", "Widget", "Namespaced"), definition("planets", "Planet", "Cluster")],
      apiServerFlags: { "token-auth-file": tokens, "feature-gates": "ShardedListAndWatch=true" },
    }),
);
const targets: Target[] = [];
/** True for servers before Kubernetes 1.38. */
let isOld = false;

function definition(plural: string, kind: string, scope: string) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope,
      names: { plural, kind },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
}

function pathOf(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(query)}`;
}

async function create(target: Target, path: string, body: JsonObject): Promise<void> {
  const { status, body: result } = await target.request("POST", path, { body });
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(result)}`);
}

async function fill(target: Target): Promise<void> {
  for (const name of namespaces) await create(target, "/api/v1/namespaces", { metadata: { name } });
  for (let index = 0; index < 36; index++) {
    const namespace = namespaces[index % namespaces.length] as string;
    const labels = { app: ["a", "b", "c"][index % 3] as string };
    const metadata = index % 4 === 3 ? { name: `n${index}` } : { name: `n${index}`, labels };
    const custom = (kind: string) => ({ apiVersion: "example.com/v1", kind, metadata });
    await create(target, `/api/v1/namespaces/${namespace}/configmaps`, { metadata });
    await create(target, `/apis/example.com/v1/namespaces/${namespace}/widgets`, custom("Widget"));
    await create(target, `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, { metadata });
    if (index < 12) await create(target, "/apis/example.com/v1/planets", custom("Planet"));
  }
}

beforeAll(async () => {
  writeFileSync(tokens, "admin-token,admin,admin,system:masters\n");
  for (const [index, environment] of environments.entries()) {
    const { host, ca } = await environment.start();
    const file = join(directory, `ca-${index}.crt`);
    writeFileSync(file, ca as string);
    const target = await openTarget({ url: host, ca: file, token: "admin-token" });
    await target.ready();
    targets.push(target);
    await fill(target);
  }
  isOld = Number((await targets[0]?.version())?.split(".")[1]) < 38;
});

afterAll(async () => {
  for (const target of targets) await target.stop();
  for (const environment of environments) await environment.stop();
  rmSync(directory, { recursive: true });
});

function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

/** Returns the test for a selector in canonical form. */
function inShard(selector: string): (object: ApiObject) => boolean {
  const ranges = [...selector.matchAll(/metadata\.(uid|namespace), '(\w+)', '(\w+)'/g)];
  return ({ metadata }) =>
    ranges.some(([, field, start = "", end = ""]) => {
      const hash = hashOf((field === "uid" ? metadata.uid : metadata.namespace) ?? "");
      return BigInt(start) <= hash && hash < BigInt(end);
    });
}

const shown = ({ metadata }: ApiObject): string => `${metadata.namespace ?? ""}/${metadata.name}`;

/** Returns the objects of a list in any form. */
function objectsOf({ kind, rows, items }: JsonObject): ApiObject[] {
  if (kind === "Table") return ((rows ?? []) as { object: ApiObject }[]).map(({ object }) => object);
  return (items ?? []) as ApiObject[];
}

/**
 * Returns what a response contains apart from its objects, which have other UIDs on each server. Servers before Kubernetes 1.38
 * answer invalid selectors with code 500 and the same message, and lists of custom resources without the shard.
 */
function headOf({ status, body }: HttpAnswer, path: string): JsonObject {
  const { kind, apiVersion, metadata, message, reason, code, details } = body as JsonObject;
  if (isOld && String(message).startsWith("invalid shard selector: ")) return { message } as JsonObject;
  if (status >= 400) return { status, kind, message, reason, code, details } as JsonObject;
  const { resourceVersion: _version, continue: _token, shardInfo, ...rest } = metadata as JsonObject;
  const shard = isOld && isCustom(path) ? {} : { shardInfo };
  return { status, kind, apiVersion, metadata: { ...rest, ...shard } } as JsonObject;
}

const isCustom = (path: string): boolean => path.startsWith("/apis/example.com/");

/** Compares the objects of a response with those of the same list without a shard. Returns the problem. */
async function problemOf(target: Target, request: ShardRequest, body: JsonObject, selector: string) {
  const all = await target.request("GET", pathOf(request.path, request.base));
  const objects = objectsOf(all.body as JsonObject);
  const matches = selector === "" ? () => true : inShard(selector);
  // Lists of any version come without pages.
  const hasLimit = Number(request.query.limit ?? 0) > 0 && request.query.resourceVersion !== "0";
  const limit = hasLimit ? Number(request.query.limit) : Number.POSITIVE_INFINITY;
  const expected = objects.filter(matches).slice(0, limit);
  const last = objects.indexOf(expected.at(-1) as ApiObject);
  const hasMore = expected.length === limit && last < objects.length - 1;
  const given = [objectsOf(body).map(shown), Boolean((body.metadata as JsonObject).continue)];
  const wanted = [expected.map(shown), hasMore];
  return JSON.stringify(given) === JSON.stringify(wanted) ? undefined : { given, wanted };
}

async function difference(request: ShardRequest): Promise<JsonObject | undefined> {
  const { method, path, query, accept } = request;
  const options = { headers: { accept } };
  const answers = await Promise.all(targets.map((target) => target.request(method, pathOf(path, query), options)));
  const [real, own] = answers.map((answer) => headOf(answer, path)) as [JsonObject, JsonObject];
  if (JSON.stringify(sorted(real)) !== JSON.stringify(sorted(own))) return { real, own };
  if (real.status !== 200) return undefined;
  const [target] = targets as [Target];
  const plain = await target.request("GET", pathOf("/api/v1/nodes", { shardSelector: query.shardSelector ?? "" }));
  const { metadata } = plain.body as { metadata: { shardInfo?: { selector: string } } };
  const problems = await Promise.all(
    targets.map((target, index) =>
      problemOf(target, request, answers[index]?.body as JsonObject, metadata.shardInfo?.selector ?? ""),
    ),
  );
  return problems.some(Boolean) ? ({ real: problems[0] ?? "", own: problems[1] ?? "" } as JsonObject) : undefined;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, member]) => [key, sorted(member)]),
  );
}

/** Does something for each of a number of seeds, and returns the first problems. */
async function problemsOf(count: number, find: (random: Random) => Promise<JsonObject | undefined>): Promise<string[]> {
  const problems: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count && problems.length < 10) {
      const own = seed + next++;
      const problem = await find(new Random(own));
      if (problem !== undefined) problems.push(`SHARDS_SEED=${own}: ${JSON.stringify(problem, null, 1)}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return problems;
}

it(`${requests} random lists and deletions select the same (SHARDS_SEED=${seed})`, async () => {
  const problems = await problemsOf(requests, async (random) => {
    const request = randomRequest(random, isOld);
    const differs = await difference(request);
    return differs && ({ request, ...differs } as unknown as JsonObject);
  });
  expect(problems.join("\n\n")).toBe("");
}, 1_800_000);

it("pages of a shard have each of its objects once", async () => {
  const problems = await problemsOf(40, async (random) => {
    const shardSelector = validSelector(random);
    const path = random.pick(["/api/v1/configmaps", "/apis/example.com/v1/widgets"]);
    const limit = String(1 + random.below(5));
    for (const target of targets) {
      const whole = objectsOf((await target.request("GET", pathOf(path, { shardSelector }))).body as JsonObject);
      const found: ApiObject[] = [];
      let token = "";
      do {
        const query = { shardSelector, limit, ...(token === "" ? {} : { continue: token }) };
        const { body } = await target.request("GET", pathOf(path, query));
        const { metadata } = body as { metadata: { continue?: string; remainingItemCount?: number } };
        if (metadata.remainingItemCount !== undefined) return { shardSelector, metadata };
        found.push(...objectsOf(body as JsonObject));
        token = metadata.continue ?? "";
      } while (token !== "");
      if (String(found.map(shown)) !== String(whole.map(shown))) return { target: target.url, shardSelector, limit };
    }
    return undefined;
  });
  expect(problems.join("\n\n")).toBe("");
}, 600_000);

/** Creates, changes and deletes objects, the last change is to an object that remains. Returns a function that removes the rest. */
async function changeObjects(target: Target, path: string): Promise<() => Promise<void>> {
  const names = Array.from({ length: 24 }, (_, index) => `later-${index}`);
  const spaceOf = (index: number): string =>
    path.replace("/v1/", `/v1/namespaces/${namespaces[index % namespaces.length]}/`);
  for (const [index, name] of names.entries()) {
    const metadata = { name, labels: { app: index % 2 === 0 ? "a" : "b" } };
    const body = isCustom(path) ? { apiVersion: "example.com/v1", kind: "Widget", metadata } : { metadata };
    await create(target, spaceOf(index), body);
    await target.request("PATCH", `${spaceOf(index)}/${name}`, {
      body: { metadata: { labels: { app: "a" } } },
      headers: { "content-type": "application/merge-patch+json" },
    });
    if (index % 2 === 0) await target.request("DELETE", `${spaceOf(index)}/${name}`);
  }
  return async () => {
    for (const [index, name] of names.entries()) await target.request("DELETE", `${spaceOf(index)}/${name}`);
  };
}

/** Sends watches with and without shards, and returns the differences. */
async function watchProblems(target: Target, path: string, plans: readonly Plan[]): Promise<string[]> {
  const streams = await Promise.all(
    plans.map(({ selector, start, labels }) => {
      const shard: Record<string, string> = selector === undefined ? {} : { shardSelector: selector };
      return target.stream(pathOf(path, { watch: "true", ...start, ...labels, ...shard }));
    }),
  );
  const restore = await changeObjects(target, path);
  const eventsOf = (index: number): Event[] =>
    (streams[index]?.events ?? []).filter(({ type }) => type !== "BOOKMARK") as Event[];
  const wholes = plans.flatMap(({ selector }, index) => (selector === undefined ? [index] : []));
  const last = (index: number): string => `${eventsOf(index).at(-1)?.object.metadata.name}`;
  const lastChanges = wholes.map((index) => (plans[index]?.labels.labelSelector === undefined ? "MODIFIED" : "ADDED"));
  await expect
    .poll(() => wholes.map((index) => `${eventsOf(index).at(-1)?.type} ${last(index)}`))
    .toEqual(lastChanges.map((type) => `${type} later-23`));
  const text = (events: Event[]): string => events.map(({ type, object }) => `${type} ${shown(object)}`).join(", ");
  const problems = (): string[] =>
    plans.flatMap(({ selector, start, labels }, index) => {
      if (selector === undefined) return [];
      const whole = wholes.find((whole) => plans[whole]?.start === start && plans[whole]?.labels === labels) ?? -1;
      const expected = text(eventsOf(whole).filter(({ object }) => inShard(selector)(object)));
      const given = text(eventsOf(index));
      return given === expected ? [] : [`${selector} ${JSON.stringify(start)}\n  ${given}\n  expected: ${expected}`];
    });
  // The events of the others may still be on their way.
  await expect.poll(problems, { timeout: 20_000 }).toEqual([]);
  for (const stream of streams) stream.close();
  await restore();
  return problems();
}

it(`${watches} random watches have the events of their shards (SHARDS_SEED=${seed})`, async () => {
  const random = new Random(seed);
  const starts: Record<string, string>[] = [
    { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true" },
    { resourceVersion: "0" },
    {},
  ];
  const labels: Record<string, string>[] = [{}, { labelSelector: "app=a" }];
  const wholes = starts.flatMap((start) =>
    labels.map((label): Plan => ({ selector: undefined, start, labels: label })),
  );
  const plans: Plan[] = Array.from({ length: watches }, () => ({
    selector: validSelector(random),
    start: random.pick(starts),
    labels: random.pick(labels),
  }));
  for (const path of ["/api/v1/configmaps", "/apis/example.com/v1/widgets"]) {
    for (const target of targets) expect(await watchProblems(target, path, [...wholes, ...plans])).toEqual([]);
  }
}, 600_000);

it("the deletion of a collection removes the objects of the shard", async () => {
  const start = bound(2n ** 63n);
  const shardSelector = `shardRange(object.metadata.uid, '${start}', '0x10000000000000000')`;
  for (const target of targets) {
    for (const path of ["/api/v1/namespaces/x/configmaps", "/apis/example.com/v1/planets"]) {
      const before = objectsOf((await target.request("GET", path)).body as JsonObject);
      const { body } = await target.request("DELETE", pathOf(path, { shardSelector }));
      if (!isOld || !isCustom(path)) {
        expect((body as JsonObject).metadata).toMatchObject({ shardInfo: { selector: shardSelector } });
      }
      const after = objectsOf((await target.request("GET", path)).body as JsonObject);
      expect(after.map(shown)).toEqual(before.filter((object) => !inShard(shardSelector)(object)).map(shown));
      expect(objectsOf(body as JsonObject).map(shown)).toEqual(before.filter(inShard(shardSelector)).map(shown));
    }
  }
});

it("watches reject invalid selectors, and partial metadata has the shard, as from Kubernetes 1.38 on", async (context) => {
  if (isOld) context.skip("KUBEBUILDER_ASSETS must contain kube-apiserver 1.38, such as 1.38.0-beta.0");
  const problems = await problemsOf(200, async (random) => {
    const query = { watch: "true", timeoutSeconds: "1", shardSelector: randomSelector(random) };
    const path = random.pick(["/api/v1/configmaps", "/apis/example.com/v1/widgets"]);
    const streams = await Promise.all(targets.map((target) => target.stream(pathOf(path, query))));
    await expect.poll(() => streams.every(({ closed }) => closed), { timeout: 60_000 }).toBe(true);
    const [real, own] = streams.map(({ status, raw }) =>
      status === 200 ? { status } : { status, ...JSON.parse(raw) },
    );
    return JSON.stringify(sorted(real)) === JSON.stringify(sorted(own)) ? undefined : { query, real, own };
  });
  expect(problems.join("\n\n")).toBe("");
}, 600_000);
