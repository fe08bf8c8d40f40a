// Random sequences of requests by several field managers: to a random kind of a definition, and to built-in kinds.
import type { Json, JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { configMaps, deployments, services } from "../api-apply/builtin-writes.ts";
import { choiceOf, type Generator } from "../api-apply/steps.ts";
import type { Step } from "../api-rows/runner/row.ts";
import { definitionOf, ourVerdictOnDefinition } from "../api-schemas/compare.ts";
import { Random, randomSchema, randomValue } from "../api-schemas/random-schemas.ts";

/** A definition with sequences of requests to its objects and to those of built-in kinds. */
export interface Round {
  /** Requests that prepare the sequences. */
  head: Step[];
  sequences: Step[][];
}

/** A kind whose objects the requests change. */
interface Target {
  path: string;
  apiVersion: string;
  kind: string;
  strategic: boolean;
  object: (random: Random) => JsonObject;
  patch: (random: Random) => JsonObject;
  operations: (random: Random) => JsonObject[];
}

const managers = ["one", "two", "three"];
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function builtin(path: string, apiVersion: string, kind: string, generator: Generator): Target {
  const choice = (random: Random) => choiceOf(() => random.next());
  return {
    path,
    apiVersion,
    kind,
    strategic: generator.strategic,
    object: (random) => generator.object(choice(random), 0.5),
    patch: (random) => generator.patch(choice(random)),
    operations: (random) => generator.operations(choice(random)),
  };
}

const builtins = [
  builtin("/api/v1/namespaces/%ns%/configmaps", "v1", "ConfigMap", configMaps),
  builtin("/api/v1/namespaces/%ns%/services", "v1", "Service", services),
  builtin("/apis/apps/v1/namespaces/%ns%/deployments", "apps/v1", "Deployment", deployments),
];

function custom(schema: Schema): Target {
  const spec = schema.properties?.spec;
  const part = (random: Random): JsonObject => {
    const parts: JsonObject = {};
    if (random.chance(0.8)) parts.spec = randomValue(random, spec, 3);
    if (random.chance(0.2)) parts.status = { phase: random.pick(["a", "b"]) };
    if (random.chance(0.3)) parts.metadata = { labels: { [random.pick(["a", "b"])]: random.pick(["1", "2"]) } };
    return parts;
  };
  return {
    path: "/apis/%group%/v1/namespaces/%ns%/things",
    apiVersion: "%group%/v1",
    kind: "Thing",
    strategic: false,
    object: part,
    patch: part,
    operations: (random) =>
      Array.from({ length: 1 + random.below(2) }, () => {
        const op = random.pick(["add", "remove", "replace", "test"]);
        const path = random.pick(["/spec", "/spec/x", "/spec/x/a", "/metadata/labels/a", "/status", "/spec/x/-"]);
        const value = randomValue(random, spec, 2);
        return { op, path, value: op === "test" ? withoutNullItems(value) : value };
      }),
  };
}

/** Replaces the items that are null: comparing them makes the real server panic, depending on the random order of Go's maps. */
function withoutNullItems(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => (item === null ? 0 : withoutNullItems(item)));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, member === undefined ? member : withoutNullItems(member)]),
  );
}

/**
 * Creates a definition and sequences of requests.
 *
 * @param seed - determines everything
 * @param count - how many sequences
 * @param length - how many requests a sequence has
 * @returns the requests
 */
export function randomRound(seed: number, count: number, length: number): Round {
  const random = new Random(seed);
  const schema = validSchema(random);
  const definition = definitionOf("%group%", schema);
  const spec = definition.spec as JsonObject;
  spec.scope = "Namespaced";
  (spec.versions as JsonObject[])[0]!.subresources = { status: {} };
  const head: Step[] = [
    { method: "POST", path: definitions, body: definition, only: "status" },
    {
      method: "GET",
      path: `${definitions}/things.%group%`,
      until: { path: "status.conditions[type=Established].status", equals: "True" },
      quiet: true,
    },
    { method: "GET", path: "/apis/%group%/v1/things", query: { limit: "1" }, until: { status: 200 }, quiet: true },
  ];
  const things = custom(schema);
  const sequences = Array.from({ length: count }, (_, index) => {
    const target = random.chance(0.6) ? things : random.pick(builtins);
    return Array.from({ length }, (_step, at) => step(random, target, `o${index}`, at === 0));
  });
  return { head, sequences };
}

function validSchema(random: Random): Schema {
  for (;;) {
    const spec: Schema = { type: "object", properties: { x: randomSchema(random, 3), y: randomSchema(random, 2) } };
    const status: Schema = { type: "object", properties: { phase: { type: "string" } } };
    const schema: Schema = { type: "object", properties: { spec, status } };
    if (ourVerdictOnDefinition(definitionOf("things.example.com", schema)).errors.length === 0) return schema;
  }
}

function step(random: Random, target: Target, name: string, isFirst: boolean): Step {
  const object = (): JsonObject => {
    const { metadata, ...rest } = target.object(random);
    const given = (metadata ?? {}) as JsonObject;
    return { apiVersion: target.apiVersion, kind: target.kind, metadata: { ...given, name }, ...rest };
  };
  const query: Record<string, string> = { fieldManager: random.pick(managers) };
  if (random.chance(0.1)) query.dryRun = "All";
  if (random.chance(0.3)) query.fieldValidation = random.pick(["Strict", "Warn", "Ignore"]);
  const save = { rv: "metadata.resourceVersion" };
  const path = `${target.path}/${name}`;
  const written = !isFirst && target.kind === "Thing" && random.chance(0.15) ? `${path}/status` : path;
  const patched = (type: string, body: Json, more: Record<string, string> = {}): Step => ({
    method: "PATCH",
    path: written,
    query: { ...query, ...more },
    headers: { "content-type": `application/${type}` },
    body,
  });
  if (isFirst && random.chance(0.7)) return { method: "POST", path: target.path, query, body: object(), save };
  switch (random.below(target.strategic ? 11 : 10)) {
    case 0:
      return { method: "POST", path: target.path, query, body: object(), save };
    case 1:
      return { method: "PUT", path: written, query, body: withVersion(random, object()), save };
    case 2:
      return patched("merge-patch+json", target.patch(random));
    case 3:
      return patched("json-patch+json", target.operations(random));
    case 4:
      return { method: "GET", path };
    case 5:
      return {
        method: "GET",
        path: target.path,
        query: random.chance(0.5) ? { labelSelector: "a" } : { fieldSelector: `metadata.name=${name}` },
      };
    case 6:
      return random.chance(0.5)
        ? { method: "DELETE", path, query: { dryRun: random.pick(["All", ""]) } }
        : { method: "GET", path };
    case 10:
      return patched("strategic-merge-patch+json", target.patch(random));
    default:
      return patched("apply-patch+yaml", object(), random.chance(0.4) ? { force: "true" } : {});
  }
}

function withVersion(random: Random, object: JsonObject): JsonObject {
  if (random.chance(0.3)) return object;
  return { ...object, metadata: { ...(object.metadata as JsonObject), resourceVersion: "%rv%" } };
}
