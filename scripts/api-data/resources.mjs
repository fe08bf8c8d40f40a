// Writes data about resources and their models from the documents in the Kubernetes source tree:
// discovery (names, verbs, subresources) and OpenAPI v3 (schemas).
//
//   node scripts/api-data/resources.mjs OUT
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const version = "v1.36.3";
const out = process.argv[2];
if (out === undefined) throw new Error("usage: resources.mjs OUT");
const info = execFileSync("go", ["mod", "download", "-json", `k8s.io/kubernetes@${version}`], {
  encoding: "utf8",
  cwd: import.meta.dirname,
});
const api = join(JSON.parse(info).Dir, "api");
const read = (path) => JSON.parse(readFileSync(join(api, path), "utf8"));

/** Versions that are off by default. */
const isOff = (text) => /alpha|beta/.test(text);
/** Groups without a version that is on, and paths that the server serves only with other flags. */
const absent = new Set(["apis/internal.apiserver.k8s.io", "apis/storagemigration.k8s.io", "logs"]);

function withoutCbor(key, value) {
  return key.includes("cbor") ? undefined : value;
}

/** The documents of OpenAPI v3, by their paths. */
function* documentsOfVersion3() {
  for (const file of readdirSync(join(api, "openapi-spec/v3")).sort()) {
    const path = file.replace(/_openapi\.json$/, "").replaceAll("__", "/");
    if (isOff(path) || absent.has(path)) continue;
    // CBOR is off by default.
    yield [path, JSON.parse(JSON.stringify(read(join("openapi-spec/v3", file)), withoutCbor))];
  }
}

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "resources.json"), `${JSON.stringify(resources())}\n`);
writeFileSync(join(out, "models.json"), `${JSON.stringify(models())}\n`);
writeFileSync(join(out, "paths.json"), `${JSON.stringify(paths())}\n`);

/** Groups in the order of discovery, the core group first. */
function resources() {
  const groups = [{ name: "", versions: ["v1"] }];
  for (const { metadata, versions } of read("discovery/aggregated_v2.json").items) {
    const on = versions.map(({ version }) => version).filter((one) => !isOff(one));
    if (on.length > 0) groups.push({ name: metadata.name, versions: on });
  }
  return groups.map(({ name, versions }) => ({
    name,
    versions: versions.map((one) => {
      const file = name === "" ? `api__${one}.json` : `apis__${name}__${one}.json`;
      return { version: one, resources: read(join("discovery", file)).resources };
    }),
  }));
}

/** Adds the enumerated values, which the checked-in documents lack. */
function withEnums(name, model, enums) {
  const own = enums[name];
  if (own === undefined || model.properties === undefined) return model;
  const properties = { ...model.properties };
  for (const [key, { enum: values, description }] of Object.entries(own)) {
    const property = properties[key];
    if (property === undefined) continue;
    const nested = ["items", "additionalProperties"].find((one) => typeof property[one] === "object");
    properties[key] = {
      ...property,
      description,
      ...(nested === undefined ? { enum: values } : { [nested]: { ...property[nested], enum: values } }),
    };
  }
  return { ...model, properties };
}

/** All models, with those of each document by name where they differ. */
function models() {
  const options = { encoding: "utf8", cwd: join(import.meta.dirname, "kubernetes"), maxBuffer: 1 << 24 };
  const enums = JSON.parse(execFileSync("go", ["run", "./enums"], options));
  const shared = {};
  const documents = {};
  for (const [path, { components }] of documentsOfVersion3()) {
    const { schemas = {} } = components;
    documents[path] = { names: Object.keys(schemas), own: {} };
    for (const [name, plain] of Object.entries(schemas)) {
      const model = withEnums(name, plain, enums);
      if (shared[name] === undefined) shared[name] = model;
      else if (JSON.stringify(shared[name]) !== JSON.stringify(model)) documents[path].own[name] = model;
    }
  }
  return { shared, documents };
}

/** A table of values, each of which occurs once. */
function table() {
  const positions = new Map();
  return {
    values: [],
    add(value) {
      const key = JSON.stringify(value);
      if (!positions.has(key)) {
        positions.set(key, this.values.length);
        this.values.push(value);
      }
      return positions.get(key);
    },
  };
}

/** The operations of each document. Parameters, and bodies with responses, occur once; `%0` stands for the first of the models. */
function paths() {
  const parameters = table();
  const bodies = table();
  const documents = {};
  for (const [path, document] of documentsOfVersion3()) {
    documents[path] = {};
    for (const [name, { parameters: common, ...operations }] of Object.entries(document.paths)) {
      const item = { operations: {} };
      if (common !== undefined) item.parameters = common.map((one) => parameters.add(one));
      for (const [method, operation] of Object.entries(operations)) {
        item.operations[method] = operationOf(operation, parameters, bodies);
      }
      documents[path][name] = item;
    }
  }
  return { parameters: parameters.values, bodies: bodies.values, documents, kinds: kindsOfVersion2() };
}

/** The kinds of models that belong to all groups, of which each document of version 3 has a part. */
function kindsOfVersion2() {
  const key = "x-kubernetes-group-version-kind";
  const { definitions } = read("openapi-spec/swagger.json");
  const shared = Object.entries(definitions).filter(([, model]) => (model[key] ?? []).length > 1);
  return Object.fromEntries(shared.map(([name, model]) => [name, model[key]]));
}

function operationOf({ parameters: own, requestBody, responses, ...rest }, parameters, bodies) {
  const models = [];
  const position = (name) => {
    if (!models.includes(name)) models.push(name);
    return models.indexOf(name);
  };
  const text = JSON.stringify({ requestBody, responses }).replace(
    /"#\/components\/schemas\/([^"]+)"/g,
    (_match, name) => `"%${position(name)}"`,
  );
  return {
    ...rest,
    ...(own === undefined ? {} : { parameters: own.map((one) => parameters.add(one)) }),
    body: bodies.add(JSON.parse(text)),
    models,
  };
}
