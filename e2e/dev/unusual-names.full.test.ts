// `scaffold dev` and `scaffold simulate` in a project whose kinds and versions have names that TypeScript can't use, and with an
// external kind in the group of own kinds.
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { scaffold, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { initProject } from "../lib/game.ts";
import { Dev } from "./dev-session.ts";

const group = "tools.qingwave.github.io";
/** Own kinds: their versions, of which the first one is stored, and the name of their reconciler. */
const own = { postgresql: ["v1-2-0", "v1"], Object: ["v1"], Promise: ["v1-2-0"] } as const;
const all = { ...own, Saw: ["v1"] } as const;

function definition(kind: keyof typeof all): object {
  const spec = { type: "object", properties: { size: { type: "integer" } } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec, status: { type: "object" } } } };
  const versions = all[kind].map((name, index) => ({ name, served: true, storage: index === 0, schema }));
  const names = { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), listKind: `${kind}List` };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope: "Namespaced", names, versions },
  };
}

/** A simulation of all controllers with all kinds. */
const simulation = `import { always, simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";
import { Saw } from "../../api/external/tools/v1/saw-types.ts";
import { ObjectKind } from "../../api/v1/object-types.ts";
import { PostgresqlKind } from "../../api/v1-2-0/postgresql-types.ts";
import { PromiseKind } from "../../api/v1-2-0/promise-types.ts";
import { ObjectReconciler } from "./object-controller.ts";
import { PostgresqlReconciler } from "./postgresql-controller.ts";
import { PromiseReconciler } from "./promise-controller.ts";
import { SawReconciler } from "./tools/saw-controller.ts";

const metadata = { namespace: "default", name: "sample" };

it("converges whatever happens", async () => {
  await simulate({
    crdDirectoryPaths: ["config/crd/bases", "Saw.json"],
    operator: async (mgr) => {
      await new ObjectReconciler(mgr.client).setupWithManager(mgr);
      await new PostgresqlReconciler(mgr.client).setupWithManager(mgr);
      await new PromiseReconciler(mgr.client).setupWithManager(mgr);
      await new SawReconciler(mgr.client).setupWithManager(mgr);
    },
    scenario: async (world) => {
      await world.client.create(PostgresqlKind, { metadata, spec: { size: 1 } });
      await world.client.create(ObjectKind, { metadata, spec: { size: 1 } });
      await world.client.create(PromiseKind, { metadata, spec: { size: 1 } });
      await world.client.create(Saw, { metadata, spec: { size: 1 } });
      await world.settled();
      await world.client.patch(PostgresqlKind, metadata, { spec: { size: 2 } });
      await world.settled();
      await world.client.delete(PromiseKind, metadata);
    },
    invariants: [
      always("each object has its size", (world) =>
        [...world.list(PostgresqlKind), ...world.list(ObjectKind), ...world.list(Saw)].every(({ spec }) => spec?.size !== undefined),
      ),
    ],
  });
});
`;

let root: string;
let dev: Dev | undefined;
let transport: ReturnType<typeof createTransport> | undefined;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-names-")));
  await initProject(root);
  for (const kind of Object.keys(all) as (keyof typeof all)[]) {
    writeFileSync(join(root, `${kind}.json`), JSON.stringify(definition(kind)));
    const flags = kind === "Saw" ? ["--external"] : [];
    await scaffold(root, "create", "api", "--from-crd", `${kind}.json`, ...flags);
  }
  const names = ["--group", "tools", "--version", "v1-2-0", "--kind"];
  await scaffold(root, "create", "webhook", ...names, "postgresql", "--conversion", "--spoke", "v1");
  await scaffold(root, "create", "webhook", ...names, "Promise", "--defaulting", "--programmatic-validation");
  writeFileSync(join(root, "src/controller/all-controller.simulation.ts"), simulation);
  await scaffold(root, "generate");
  await linkPackages(root);
});

afterAll(async () => {
  await transport?.close();
  await dev?.remove();
});

function request(method: "GET" | "POST", version: string, kind: string, name: string) {
  const resource = `/apis/${group}/${version}/namespaces/default/${kind.toLowerCase()}s`;
  if (method === "GET")
    return (transport as NonNullable<typeof transport>).request({ method, path: `${resource}/${name}` });
  const body = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec: { size: 3 } };
  return (transport as NonNullable<typeof transport>).request({ method, path: resource, body });
}

it("the project type-checks", async () => {
  const { code, stdout } = await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--noEmit"], {
    cwd: root,
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
});

it("simulate runs the controllers of all kinds", async () => {
  const flags = ["simulate", "--seeds", "20", "--json"];
  const { code, stdout, stderr } = await run(process.execPath, [scaffoldBin, ...flags], { cwd: root });
  expect(code, stdout + stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ schedules: 21, findings: [] });
});

it("dev reconciles objects of all kinds and versions", async () => {
  dev = new Dev(root, {}, "--no-samples");
  const ready = await dev.event("ready");
  transport = createTransport(loadConfig({ kubeconfig: String(ready.kubeconfig) }));
  // The definition of the external kind belongs to another operator.
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await transport.request({ method: "POST", path: definitions, body: definition("Saw") });
  for (const [kind, versions] of Object.entries(own)) {
    for (const version of versions) {
      const name = `in-${version}`;
      await request("POST", version, kind, name);
      const stored = `${group}/${versions[0]}`;
      const line = await dev.event("reconciled", (line) => line.kind === kind && line.name === name);
      expect(line.apiVersion).toBe(stored);
    }
  }
  expect((await request("GET", "v1", "postgresql", "in-v1-2-0")).body).toMatchObject({
    apiVersion: `${group}/v1`,
    spec: { size: 3 },
  });
});

it("dev reconciles the external kind of the same group", async () => {
  const session = dev as Dev;
  await expect
    .poll(async () =>
      request("POST", "v1", "Saw", "hand").then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const line = await session.event("reconciled", ({ kind }) => kind === "Saw");
  expect(line).toMatchObject({ apiVersion: `${group}/v1`, controller: "tools-saw", name: "hand" });
});

it.each(["postgresql/in-v1", `postgresqls.${group}/in-v1`, "Object/in-v1", "promise/in-v1-2-0"])(
  "why and timeline answer for %s",
  async (object) => {
    const session = dev as Dev;
    const why = await session.ask<{ reconciles: unknown[] }>("why", object);
    expect(why.reconciles.length).toBeGreaterThan(0);
    const timeline = await session.ask<unknown>("timeline", object);
    expect(JSON.stringify(timeline)).toContain("reconcile");
  },
);

it("dev loads a changed controller of such a kind", async () => {
  const session = dev as Dev;
  const file = "src/controller/promise-controller.ts";
  const [first = ""] = /^ {2}async reconcile\([^\n]*\n/m.exec(readFileSync(join(root, file), "utf8")) ?? [];
  const before = session.edit(file, first, `${first}    ctx.log.info("changed code");\n`);
  await session.event("started", () => true, before);
  await session.event("reconciled", ({ kind }) => kind === "Promise", before);
  expect(session.errors).toContain('"msg":"changed code"');
});
