import { CORE_SCHEMA, loadAll } from "js-yaml";
import { shown } from "../../project/names.ts";
import { inputProblem, type Problem } from "../../project/problem.ts";
import { isMap, mapOf } from "../maps.ts";
import type { Crd } from "./document.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads the one CustomResourceDefinition in a text of YAML or JSON. Anything else is a problem of one line.
 *
 * @param source what messages call the text, such as `--from-crd crd.yaml`
 */
export function readCrd(text: string, source: string): Crd | Problem {
  const problem = (why: string, hint?: string) => inputProblem("bad-crd", `${source} ${why}`, hint);
  let documents: unknown[];
  try {
    documents = loadAll(text, undefined, { schema: CORE_SCHEMA });
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return problem(`is no YAML or JSON: ${reason}`, "a chart's templates have to be rendered first");
  }
  const objects = documents.flatMap(itemsOf);
  const found = objects.filter((object) => object.kind === "CustomResourceDefinition");
  const [only, another] = found;
  if (only === undefined) {
    const kinds = [...new Set(objects.map(({ kind }) => String(kind ?? "something without a kind")))].join(", ");
    return problem(`holds no CustomResourceDefinition, but ${kinds === "" ? "nothing" : kinds}`);
  }
  if (another !== undefined) {
    const names = found.map((each) => String(mapOf(each.metadata).name ?? "?")).join(", ");
    return problem(`holds several CustomResourceDefinitions: ${names}`, "give one of them, such as by --from-crd -");
  }
  if (only.apiVersion !== "apiextensions.k8s.io/v1") {
    return problem(
      `is a CustomResourceDefinition of ${shown(String(only.apiVersion))}: apiextensions.k8s.io/v1 is what is read`,
      "kubectl get crd NAME -o yaml gives it as v1",
    );
  }
  const wrong = wrongPart(only);
  return wrong === undefined ? (only as unknown as Crd) : problem(wrong);
}

/** What a document holds: a list's items, or the document itself. */
function itemsOf(document: unknown): Values[] {
  const object = mapOf(document);
  if (Object.keys(object).length === 0) return [];
  return object.kind === "List" && Array.isArray(object.items) ? object.items.map(mapOf) : [object];
}

function wrongPart(crd: Values): string | undefined {
  const spec = mapOf(crd.spec);
  const names = mapOf(spec.names);
  for (const [path, value] of [
    ["metadata.name", mapOf(crd.metadata).name],
    ["spec.group", spec.group],
    ["spec.names.kind", names.kind],
    ["spec.names.plural", names.plural],
  ] as const) {
    if (typeof value !== "string" || value === "") return `has no ${path}`;
  }
  if (spec.scope !== "Namespaced" && spec.scope !== "Cluster")
    return "has a spec.scope other than Namespaced and Cluster";
  const versions: unknown = spec.versions;
  if (!Array.isArray(versions) || versions.length === 0) return "has no spec.versions";
  const seen = new Set<unknown>();
  for (const [index, each] of versions.map(mapOf).entries()) {
    if (typeof each.name !== "string") return `has a spec.versions[${index}] without a name`;
    if (seen.has(each.name)) return `has the version ${shown(each.name)} twice`;
    seen.add(each.name);
    const schema = mapOf(mapOf(each.schema).openAPIV3Schema);
    if (Object.keys(schema).length === 0) return `has no schema in its version ${each.name}`;
    const wrong = wrongSchema(schema, "");
    if (wrong !== undefined) return `has a schema of version ${each.name} that can't be read: ${wrong}`;
  }
  return undefined;
}

/** Why a schema is no schema: what is walked later has to be what its types say. */
function wrongSchema(schema: unknown, path: string): string | undefined {
  if (!isMap(schema)) return `${path || "."} is no map of keys`;
  const { properties, items, additionalProperties, required } = schema;
  if (properties !== undefined && !isMap(properties)) return `${path}.properties is no map of keys`;
  if (required !== undefined && !Array.isArray(required)) return `${path}.required is no list`;
  for (const key of ["enum", "anyOf", "allOf", "oneOf", "x-kubernetes-validations", "x-kubernetes-list-map-keys"]) {
    if (schema[key] !== undefined && !Array.isArray(schema[key])) return `${path}.${key} is no list`;
  }
  if (schema.description !== undefined && typeof schema.description !== "string")
    return `${path}.description is no text`;
  for (const [name, each] of Object.entries((properties as Values) ?? {})) {
    const wrong = wrongSchema(each, `${path}.${name}`);
    if (wrong !== undefined) return wrong;
  }
  const inner = [
    ...(items === undefined ? [] : [[items, `${path}[]`] as const]),
    ...(additionalProperties === undefined || typeof additionalProperties === "boolean"
      ? []
      : [[additionalProperties, `${path}{}`] as const]),
  ];
  return inner.map(([each, at]) => wrongSchema(each, at)).find((wrong) => wrong !== undefined);
}
