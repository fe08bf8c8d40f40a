import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { initProject } from "../../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../../scaffold/test-support/tree.ts";
import { runCli } from "../../test-support/run-cli.ts";

const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const withSpec = { type: "object", properties: { spec: { type: "object" } } };

/** Creates a project with a CRD in crd.json. */
async function project(kind: string, versions: readonly string[], schema?: object): Promise<string> {
  const root = testDirectory();
  await initProject(root, { domain: "example.org" });
  writeDefinition(root, kind, versions, schema);
  return root;
}

/** Writes a CRD to crd.json, whose first version is stored. */
function writeDefinition(root: string, kind: string, versions: readonly string[], schema: object = withSpec): void {
  const plural = `${kind.toLowerCase()}s`;
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.tools.example.org` },
    spec: {
      group: "tools.example.org",
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
  writeFileSync(join(root, "crd.json"), JSON.stringify(definition));
}

it.each(["v1-2-0", "verylongversion", "class"])(
  "imports the version %s, which all commands then accept",
  async (name) => {
    const root = await project("Saw", ["v1", name]);
    expect(await runCli(root, ["create", "api", "--from-crd", "crd.json"])).toMatchObject({ code: 0 });
    rmSync(join(root, "crd.json"));
    const before = snapshot(root);
    const saw = ["--group", "tools", "--kind", "Saw"];
    const conversion = ["create", "webhook", ...saw, "--version", "v1", "--conversion", "--spoke", name];
    expect(await runCli(root, conversion)).toMatchObject({ code: 0 });
    const identifier = name === "v1-2-0" ? "v1_2_0" : `v_${name}`;
    const hub = text(root, "api/v1/saw-conversion.ts");
    expect(hub).toContain(`import { spoke as ${identifier} } from "../${name}/saw-conversion.ts";`);
    expect(hub).toContain(`spokes: [${identifier}]`);
    expect(await runCli(root, ["delete", "webhook", ...saw, "--version", "v1"])).toMatchObject({ code: 0 });
    expect(snapshot(root)).toEqual(before);
    expect(await runCli(root, ["generate"])).toMatchObject({ code: 0 });
    expect(text(root, "config/crd/bases/tools.example.org_saws.yaml")).toMatch(
      new RegExp(`^ {2}(-| ) name: ${name}$`, "m"),
    );
    const own = [...saw, "--version", name];
    expect(await runCli(root, ["create", "webhook", ...own, "--defaulting"])).toMatchObject({ code: 0 });
    expect((await runCli(root, ["doctor"])).stdout).toContain(", complete");
    expect(await runCli(root, ["delete", "webhook", ...own])).toMatchObject({ code: 0 });
    expect(await runCli(root, ["delete", "api", ...own])).toMatchObject({ code: 0 });
    expect(Object.keys(snapshot(root)).filter((path) => path.includes(name))).toEqual([]);
  },
);

it("lists more than 200 losses as JSON, and prints where they are", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [`f${index}`, { type: "string", not: { enum: ["a"] } }]),
  );
  const schema = { type: "object", properties: { spec: { type: "object", properties } } };
  const root = await project("Saw", ["v1"], schema);
  const call = ["create", "api", "--from-crd", "crd.json", "--dry-run"];
  const { notes } = JSON.parse((await runCli(root, [...call, "--json"])).stdout) as { notes: string[] };
  const losses = notes.filter((note) => note.startsWith("not in the types: "));
  expect(losses.length).toBeGreaterThanOrEqual(250);
  for (const index of [0, 249]) expect(losses.join("\n")).toContain(`.spec.f${index} `);
  const printed = (await runCli(root, call)).stderr.trimEnd().split("\n");
  expect(printed).toHaveLength(201);
  expect(printed.at(-1)).toMatch(/^\d+ more notes: npx scaffold … --dry-run --json lists all of them as "notes"$/);
});

it("lists long notes whole as JSON, and prints their beginning and end", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${"deeplyNestedField".repeat(2)}${index}`);
  const leaf: object = { type: "string", not: { enum: ["a"] } };
  const deep = names.reduceRight((inner, name) => ({ type: "object", properties: { [name]: inner } }), leaf);
  // No text has both lengths.
  const pattern = `^(${"a|".repeat(300)}b)\\d{40}$`;
  const long = { type: "object", required: ["id"], properties: { id: { type: "string", pattern, maxLength: 3 } } };
  const spec = { type: "object", required: ["deep", "long"], properties: { deep, long } };
  const root = await project("Saw", ["v1"], { type: "object", required: ["spec"], properties: { spec } });
  const call = ["create", "api", "--from-crd", "crd.json", "--dry-run"];
  const { notes } = JSON.parse((await runCli(root, [...call, "--json"])).stdout) as { notes: string[] };
  const path = `.spec.deep.${names.join(".")}`;
  expect(notes).toContain(`not in the types: v1: ${path} has not`);
  expect(notes.filter((note) => note.endsWith(` matches ${pattern}`))).toHaveLength(1);
  const printed = (await runCli(root, call)).stderr.trimEnd().split("\n");
  const shortened = printed.filter((line) => line.includes(" … ") && !line.includes("npx scaffold"));
  expect(shortened).toHaveLength(2);
  expect(shortened.join("\n")).toMatch(/^.*not in the types: v1: \.spec\.deep\.deeply.* … .*\.deeply\w+11 has not$/m);
  expect(Math.max(...shortened.map((line) => line.length))).toBeLessThan(330);
  expect(printed.at(-1)).toContain(
    '2 notes are shortened: npx scaffold … --dry-run --json lists all of them as "notes"',
  );
  const after = (await runCli(root, call.slice(0, -1))).stderr;
  const again = /npx scaffold … (?<flags>--.*) lists all of them as "notes"$/m.exec(after)?.groups?.flags ?? "";
  const listed = await runCli(root, [...call.slice(0, -1), ...again.split(" ")]);
  expect(listed.code, listed.stderr).toBe(0);
  expect(JSON.parse(listed.stdout)).toMatchObject({ notes });
});

describe("kinds whose types have another name", () => {
  it.each(["Object", "postgresql"])("%s works in all commands", async (kind) => {
    const root = await project(kind, ["v1", "v2"]);
    const plural = `${kind.toLowerCase()}s`;
    const type = kind === "Object" ? "ObjectKind" : "PostgresqlKind";
    const empty = snapshot(root);
    expect(await runCli(root, ["create", "api", "--from-crd", "crd.json"])).toMatchObject({ code: 0 });
    const created = snapshot(root);
    const own = ["--group", "tools", "--version", "v1", "--kind", kind];
    const all = ["--defaulting", "--programmatic-validation", "--conversion", "--spoke", "v2"];
    expect(await runCli(root, ["create", "webhook", ...own, ...all])).toMatchObject({ code: 0 });
    expect(text(root, `api/v2/${kind.toLowerCase()}-conversion.ts`)).toContain(`SpokeConverter<Hub, ${type}>`);
    expect(text(root, `src/webhook/v1/${kind.toLowerCase()}-webhook.ts`)).toContain(`class ${type}Defaulter`);
    expect(await runCli(root, ["generate"])).toMatchObject({ code: 0 });
    expect(text(root, `config/crd/bases/tools.example.org_${plural}.yaml`)).toContain(`    kind: ${kind}\n`);
    expect((await runCli(root, ["upgrade", "--dry-run"])).stdout).not.toMatch(/tools|object|postgres/i);
    expect((await runCli(root, ["doctor"])).stdout).toContain(", complete");
    expect(await runCli(root, ["delete", "webhook", ...own])).toMatchObject({ code: 0 });
    const kept = ([path]: [string, unknown]) =>
      !path.startsWith("config/crd/bases") && path !== "config/rbac/role.yaml";
    const rest = (tree: ReturnType<typeof snapshot>) => Object.fromEntries(Object.entries(tree).filter(kept));
    expect(Object.keys(rest(snapshot(root))).filter((path) => path.includes("webhook/v1"))).toEqual([]);
    expect(rest(created)).toHaveProperty([`api/v1/${kind.toLowerCase()}-types.ts`]);
    for (const version of ["v2", "v1"]) {
      const names = ["--group", "tools", "--version", version, "--kind", kind];
      expect(await runCli(root, ["delete", "api", ...names])).toMatchObject({ code: 0 });
    }
    expect(Object.keys(rest(snapshot(root))).filter((path) => !Object.hasOwn(empty, path))).toEqual([]);
  });

  it("Object and ObjectKind in one group have types with different names", async () => {
    const root = await project("Object", ["v1"]);
    for (const kind of ["Object", "ObjectKind"]) {
      writeDefinition(root, kind, ["v1"]);
      expect(await runCli(root, ["create", "api", "--from-crd", "crd.json"])).toMatchObject({ code: 0 });
    }
    expect(text(root, "api/v1/object-types.ts")).toContain(
      'export const ObjectKind = GroupVersion.kind<ObjectKind>("Object");',
    );
    expect(text(root, "api/v1/objectkind-types.ts")).toContain("GroupVersion.kind<ObjectKindKind>(");
    expect(await runCli(root, ["generate"])).toMatchObject({ code: 0 });
    for (const plural of ["objects", "objectkinds"]) {
      expect(text(root, `config/crd/bases/tools.example.org_${plural}.yaml`)).toContain(`plural: ${plural}\n`);
    }
  });
});
