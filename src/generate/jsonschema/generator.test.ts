import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { generate } from "../generate.ts";
import { applyPlan } from "../output/apply.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";

const thing = (fields: string, version = "v1", kind = "Thing") => `// +groupName=example.com
import type { Int32, KubernetesObject } from "@kubewright/runtime/api";

/** ${kind} is a ${version}. */
// +kubebuilder:object:root=true
${version === "v1" ? "// +kubebuilder:storageversion" : ""}
export interface ${kind} extends KubernetesObject {
  spec?: {
${fields}
  };
}
`;

async function run(cwd: string, options = "jsonschema paths=./...", more = {}) {
  const { diagnostics, plan } = await generate(requestOf(cwd, options.split(" "), more));
  const files = new Map(plan.writes.map(({ path, after }) => [relative(cwd, path).replaceAll("\\", "/"), after]));
  return { diagnostics, plan, files, schema: (path: string) => JSON.parse(files.get(path) ?? "null") };
}

const ajv = () => new Ajv({ strict: false, allErrors: true });
const object = (spec: object, more: object = {}) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a" },
  spec,
  ...more,
});

describe("jsonschema", () => {
  it("writes a file per kind and served version, and one for all", async () => {
    const cwd = project({
      "api/v1/thing.ts": thing("a?: string"),
      "api/v2/thing.ts": thing("a?: string; b?: string", "v2"),
      "api/v3/thing.ts": thing("a?: string", "v3").replace("export", "// +kubebuilder:unservedversion\nexport"),
    });
    const { files, diagnostics } = await run(cwd);
    expect(diagnostics).toEqual([]);
    expect([...files.keys()]).toEqual([
      "schemas/all.json",
      "schemas/example.com/thing_v1.json",
      "schemas/example.com/thing_v2.json",
    ]);
  });

  it("the type fields are constants, and metadata has the schema of ObjectMeta", async () => {
    const { schema } = await run(project({ "api/v1/thing.ts": thing("a?: string") }));
    const document = schema("schemas/example.com/thing_v1.json");
    expect(document).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      description: "Thing is a v1.",
      properties: { apiVersion: { const: "example.com/v1" }, kind: { const: "Thing" } },
    });
    const check = ajv().compile(document);
    expect(check(object({}, { metadata: { name: "a", labels: { a: "b" }, finalizers: ["example.com/x"] } }))).toBe(
      true,
    );
    for (const metadata of [{}, { name: "A" }, { name: "a", nam: "b" }, { name: "a", labels: { a: 1 } }]) {
      expect(check(object({}, { metadata })), JSON.stringify(metadata)).toBe(false);
    }
    expect(check(object({}, { kind: "Thin" }))).toBe(false);
  });

  it("all.json selects the schema by apiVersion and kind", async () => {
    const { schema } = await run(
      project({ "api/v1/thing.ts": thing("a?: string"), "api/v1/other.ts": thing("b?: string", "v1", "Other") }),
    );
    const check = ajv().compile(schema("schemas/all.json"));
    expect(check(object({ a: "x" }))).toBe(true);
    expect(check(object({ b: "x" }))).toBe(false);
    expect(check(object({ b: "x" }, { kind: "Other" }))).toBe(true);
    expect(check(object({}, { kind: "Third" }))).toBe(false);
    expect(check({ kind: "Thing", metadata: { name: "a" } })).toBe(false);
  });

  it("with strict=false, unknown fields are valid; with descriptions=false, there are none", async () => {
    const cwd = project({ "api/v1/thing.ts": thing("/** A. */ a?: string; properties?: { b?: string }") });
    const strict = (await run(cwd)).schema("schemas/example.com/thing_v1.json");
    const loose = await run(cwd, "jsonschema:strict=false,descriptions=false paths=./...");
    const document = loose.schema("schemas/example.com/thing_v1.json");
    const unknown = object({ properties: { c: "x" } });
    expect([ajv().compile(strict)(unknown), ajv().compile(document)(unknown)]).toEqual([false, true]);
    expect(JSON.stringify(strict)).toContain('"description":"A."');
    expect(JSON.stringify(document)).not.toContain('"description"');
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });

  it("keeps Kubernetes' keywords, and integers beyond 2^53", async () => {
    const fields =
      '// +listType=set\n a?: string[];\n // +kubebuilder:default=9007199254740993\n // +kubebuilder:validation:XValidation:rule="self > 0"\n b?: number';
    const { files } = await run(project({ "api/v1/thing.ts": thing(fields) }));
    const text = files.get("schemas/example.com/thing_v1.json");
    expect(text).toContain('"default": 9007199254740993,');
    expect(text).toContain('"x-kubernetes-list-type": "set"');
    expect(text).toContain('"uniqueItems": true');
    expect(text).toContain('"rule": "self > 0"');
  });

  it("omits a pattern without an equivalent, and warns at its marker", async () => {
    const fields =
      "// +kubebuilder:validation:Pattern=`(?m)^a$`\n a?: string; // x\n // +kubebuilder:validation:Pattern=`^\\s$`\n b?: string";
    const { diagnostics, schema } = await run(
      project({ "api/v1/thing.ts": thing(fields) }),
      "crd jsonschema paths=./...",
    );
    expect(diagnostics.map(({ id, severity, line }) => ({ id, severity, line }))).toEqual([
      { id: "pattern-not-portable", severity: "warning", line: 9 },
    ]);
    const { a, b } = schema("schemas/example.com/thing_v1.json").properties.spec.properties;
    expect([a.pattern, b.pattern]).toEqual([undefined, "^[\\t\\n\\f\\r ]$"]);
  });

  it("has the same result with the generator crd, whatever the length of its descriptions", async () => {
    const cwd = project({ "api/v1/thing.ts": thing("/** A long description. */ a?: string") });
    const alone = await run(cwd);
    const both = await run(cwd, "crd:maxDescLen=0 jsonschema paths=./...");
    expect([...alone.files].filter(([path, text]) => both.files.get(path) !== text)).toEqual([]);
    expect(both.files.get("config/crd/example.com_things.yaml")).not.toContain("A long description.");
  });

  it("reports problems of types once if several generators use them", async () => {
    const cwd = project({ "api/v1/thing.ts": thing("a?: Date; b?: string") });
    const { diagnostics, plan } = await run(cwd, "crd jsonschema paths=./...", { keepGoing: true });
    expect(diagnostics.map(({ id }) => id)).toEqual(["unsupported-type"]);
    expect(plan.writes).toEqual([]);
  });

  it("--prune removes schemas of kinds that no longer exist, and no other files", async () => {
    const cwd = project({
      "api/v1/thing.ts": thing("a?: string"),
      "api/v1/other.ts": thing("a?: string", "v1", "Other"),
    });
    applyPlan((await run(cwd)).plan.writes);
    const own = join(cwd, "schemas/example.com/own.json");
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, "{}\n");
    writeFileSync(join(cwd, "api/v1/other.ts"), "export {};\n");
    const { diagnostics } = await run(cwd);
    expect(diagnostics.map(({ id, file }) => [id, relative(cwd, file).replaceAll("\\", "/")])).toEqual([
      ["extraneous-file", "schemas/example.com/other_v1.json"],
    ]);
    const pruned = await run(cwd, "jsonschema paths=./...", { prune: true });
    expect(pruned.diagnostics).toEqual([]);
    expect(
      pruned.plan.writes.filter(({ action }) => action === "delete").map(({ path }) => relative(cwd, path)),
    ).toEqual([join("schemas", "example.com", "other_v1.json")]);
    expect(readFileSync(own, "utf8")).toBe("{}\n");
  });

  it("writes the same bytes again, without a path or a time", async () => {
    const cwd = project({ "api/v1/thing.ts": thing("a?: string") });
    const first = await run(cwd);
    applyPlan(first.plan.writes);
    const { plan } = await run(cwd);
    expect(plan.writes.every(({ action }) => action === "unchanged")).toBe(true);
    expect([...first.files.values()].join("")).not.toContain(cwd);
  });

  it("writes to the directory of its output rule, or to stdout", async () => {
    const cwd = project({ "api/v1/thing.ts": thing("a?: string") });
    const { files } = await run(cwd, "jsonschema paths=./... output:jsonschema:dir=out");
    expect([...files.keys()]).toEqual(["out/all.json", "out/example.com/thing_v1.json"]);
    const { plan } = await run(cwd, "jsonschema paths=./... output:stdout");
    expect(plan.stdout.match(/"\$schema"/g)).toHaveLength(2);
  });
});
