// Writes data about resources and their models from the documents in the Kubernetes source tree:
// discovery (names, verbs, subresources) and OpenAPI v3 (schemas).
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kubernetesSources } from "./sources.ts";

/** A document of OpenAPI, or a part of it. */
interface Document {
  readonly components: { readonly schemas?: Readonly<Record<string, Model>> };
  readonly paths: Readonly<Record<string, PathItem>>;
}

interface Property {
  readonly [key: string]: unknown;
}

interface Model {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly [key: string]: unknown;
}

interface Operation {
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
  readonly responses?: unknown;
  readonly [key: string]: unknown;
}

/** The operations of a path by their methods, and the parameters of all of them. */
type PathItem = { readonly parameters?: readonly unknown[] } & Readonly<Record<string, unknown>>;

/** The enumerated values of the properties of a model. */
type Enums = Readonly<Record<string, { readonly enum: readonly string[]; readonly description: string }>>;

const [release, modules, out] = process.argv.slice(2);
if (release === undefined || modules === undefined || out === undefined) {
  throw new Error("usage: resources.ts RELEASE MODULES OUT");
}
const api = join(kubernetesSources(release), "api");
const read = <Content>(path: string): Content => JSON.parse(readFileSync(join(api, path), "utf8"));

/** Versions that are off by default. */
const isOff = (text: string): boolean => /alpha|beta/.test(text);
const groups = read<{ items: { metadata: { name: string }; versions: { version: string }[] }[] }>(
  "discovery/aggregated_v2.json",
).items;
/** Groups without a version that is on, and paths that the server serves only with other flags. */
const absent = new Set([
  "logs",
  ...groups
    .filter(({ versions }) => versions.every(({ version }) => isOff(version)))
    .map(({ metadata }) => `apis/${metadata.name}`),
]);

function withoutCbor(key: string, value: unknown): unknown {
  return key.includes("cbor") ? undefined : value;
}

/** The documents of OpenAPI v3, by their paths. */
function* documentsOfVersion3(): Generator<[path: string, document: Document]> {
  for (const file of readdirSync(join(api, "openapi-spec/v3")).sort()) {
    const path = file.replace(/_openapi\.json$/, "").replaceAll("__", "/");
    if (isOff(path) || absent.has(path)) continue;
    // CBOR is off by default.
    yield [path, JSON.parse(JSON.stringify(read(join("openapi-spec/v3", file)), withoutCbor))];
  }
}

/** Groups in the order of discovery, the core group first. */
function resources(): object[] {
  const served = [{ name: "", versions: ["v1"] }];
  for (const { metadata, versions } of groups) {
    const on = versions.map(({ version }) => version).filter((name) => !isOff(name));
    if (on.length > 0) served.push({ name: metadata.name, versions: on });
  }
  return served.map(({ name, versions }) => ({
    name,
    versions: versions.map((version) => {
      const file = name === "" ? `api__${version}.json` : `apis__${name}__${version}.json`;
      return { version, resources: read<{ resources: unknown }>(join("discovery", file)).resources };
    }),
  }));
}

/** Adds the enumerated values, which the checked-in documents lack. */
function withEnums(name: string, model: Model, enums: Readonly<Record<string, Enums>>): Model {
  const own = enums[name];
  if (own === undefined || model.properties === undefined) return model;
  const properties: Record<string, Property> = { ...model.properties };
  for (const [key, { enum: values, description }] of Object.entries(own)) {
    const property = properties[key];
    if (property === undefined) continue;
    const nested = ["items", "additionalProperties"].find((member) => typeof property[member] === "object");
    properties[key] = {
      ...property,
      description,
      ...(nested === undefined ? { enum: values } : { [nested]: { ...(property[nested] as object), enum: values } }),
    };
  }
  return { ...model, properties };
}

/** All models, with those of each document by name where they differ. */
function models(): object {
  const options = { encoding: "utf8", cwd: join(import.meta.dirname, "kubernetes"), maxBuffer: 1 << 24 } as const;
  const enums: Record<string, Enums> = JSON.parse(
    execFileSync("go", ["run", `-modfile=${modules}`, "./enums"], options),
  );
  const shared: Record<string, Model> = {};
  const documents: Record<string, { names: string[]; own: Record<string, Model> }> = {};
  for (const [path, { components }] of documentsOfVersion3()) {
    const { schemas = {} } = components;
    const own: Record<string, Model> = {};
    documents[path] = { names: Object.keys(schemas), own };
    for (const [name, plain] of Object.entries(schemas)) {
      const model = withEnums(name, plain, enums);
      if (shared[name] === undefined) shared[name] = model;
      else if (JSON.stringify(shared[name]) !== JSON.stringify(model)) own[name] = model;
    }
  }
  return { shared, documents };
}

/** A table of values, each of which occurs once. */
class Table {
  readonly values: unknown[] = [];
  readonly #positions = new Map<string, number>();

  /** Returns the position of a value. */
  add(value: unknown): number {
    const key = JSON.stringify(value);
    const position = this.#positions.get(key) ?? this.values.push(value) - 1;
    this.#positions.set(key, position);
    return position;
  }
}

/** The operations of each document. Parameters, and bodies with responses, occur once; `%0` stands for the first of the models. */
function paths(): object {
  const parameters = new Table();
  const bodies = new Table();
  const documents: Record<string, object> = {};
  for (const [path, document] of documentsOfVersion3()) {
    const items: Record<string, object> = {};
    for (const [name, { parameters: common, ...methods }] of Object.entries(document.paths)) {
      const operations: Record<string, object> = {};
      const item = { operations, ...(common && { parameters: common.map((parameter) => parameters.add(parameter)) }) };
      for (const [method, operation] of Object.entries(methods)) {
        operations[method] = operationOf(operation as Operation, parameters, bodies);
      }
      items[name] = item;
    }
    documents[path] = items;
  }
  return { parameters: parameters.values, bodies: bodies.values, documents, kinds: kindsOfVersion2() };
}

/** The kinds of models that belong to all groups, of which each document of version 3 has a part. */
function kindsOfVersion2(): object {
  const key = "x-kubernetes-group-version-kind";
  const { definitions } = read<{ definitions: Record<string, { [key]?: unknown[] }> }>("openapi-spec/swagger.json");
  const shared = Object.entries(definitions).filter(([, model]) => (model[key] ?? []).length > 1);
  return Object.fromEntries(shared.map(([name, model]) => [name, model[key]]));
}

function operationOf(
  { parameters: own, requestBody, responses, ...rest }: Operation,
  parameters: Table,
  bodies: Table,
): object {
  const models: string[] = [];
  const position = (name: string): number => {
    if (!models.includes(name)) models.push(name);
    return models.indexOf(name);
  };
  const text = JSON.stringify({ requestBody, responses }).replace(
    /"#\/components\/schemas\/([^"]+)"/g,
    (_match, name: string) => `"%${position(name)}"`,
  );
  return {
    ...rest,
    ...(own === undefined ? {} : { parameters: own.map((parameter) => parameters.add(parameter)) }),
    body: bodies.add(JSON.parse(text)),
    models,
  };
}

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "resources.json"), `${JSON.stringify(resources())}\n`);
writeFileSync(join(out, "models.json"), `${JSON.stringify(models())}\n`);
writeFileSync(join(out, "paths.json"), `${JSON.stringify(paths())}\n`);
