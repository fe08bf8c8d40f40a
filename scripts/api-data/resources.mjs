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

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "resources.json"), `${JSON.stringify(resources())}\n`);
writeFileSync(join(out, "models.json"), `${JSON.stringify(models())}\n`);

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

/** All models, with those of each document by name where they differ. */
function models() {
  const shared = {};
  const documents = {};
  for (const file of readdirSync(join(api, "openapi-spec/v3")).sort()) {
    const path = file.replace(/_openapi\.json$/, "").replaceAll("__", "/");
    if (!/^apis?\/.*v\d/.test(path) || isOff(path)) continue;
    const { schemas } = read(join("openapi-spec/v3", file)).components;
    documents[path] = { names: Object.keys(schemas), own: {} };
    for (const [name, model] of Object.entries(schemas)) {
      if (shared[name] === undefined) shared[name] = model;
      else if (JSON.stringify(shared[name]) !== JSON.stringify(model)) documents[path].own[name] = model;
    }
  }
  return { shared, documents };
}
