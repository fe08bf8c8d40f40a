// The API server accepts every generated CRD, and accepts and rejects objects according to markers and types.
import { readdirSync, readFileSync } from "node:fs";
import type { TransportRequest } from "@kubewright/runtime";
import { load } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { startApiServer } from "./test-support/api-server.ts";
import { crdsOf, group, kindsFile } from "./test-support/verdicts/api.ts";
import { containerKinds } from "./test-support/verdicts/containers.ts";
import { presenceKinds } from "./test-support/verdicts/presence.ts";
import { ruleKinds } from "./test-support/verdicts/rules.ts";
import { valueKinds } from "./test-support/verdicts/values.ts";
import { machine, robotV1, robotV1alpha1, robotV2 } from "./test-support/verdicts/whole.ts";

type Crd = { spec: { group: string; names: { kind: string; plural: string } }; metadata: { name: string } };
type Body = { spec?: unknown; metadata: { name: string; resourceVersion: string } } & Record<string, unknown>;

const kinds = [...valueKinds, ...presenceKinds, ...containerKinds, ...ruleKinds];
// Installing this many definitions takes long on a busy machine.
const server = startApiServer({ crdInstallOptions: { maxTime: 120_000 } });
const plurals = new Map<string, string>();

beforeAll(async () => {
  const crds = await crdsOf({
    "api/v1/kinds.ts": kindsFile(kinds),
    "robots/v1/robot.ts": robotV1,
    "robots/v1alpha1/robot.ts": robotV1alpha1,
    "robots/v2/robot.ts": robotV2,
    "machines/v1/machine.ts": machine,
  });
  for (const { spec } of crds as unknown as Crd[]) plurals.set(spec.names.kind, spec.names.plural);
  await server.environment.installCRDs({ crds: [...crds, ...goldenCrds()] as never });
});

/**
 * All expected files except those that the API server must reject: CRDs without a group, recursive types, and markers that
 * contradict each other.
 */
function goldenCrds(): unknown[] {
  const crds = new Map<string, unknown>();
  for (const folder of ["generate", "fixtures"]) {
    const root = new URL(`../../testdata/${folder}/`, import.meta.url);
    for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!/[^/]+\.[^/]+_[^/]+\.yaml$/.test(file) || /^(plural|recursion|combinations)\//.test(file)) continue;
      const crd = load(readFileSync(new URL(file, root), "utf8")) as Crd;
      if (!crds.has(crd.metadata.name)) crds.set(crd.metadata.name, crd);
    }
  }
  return [...crds.values()];
}

/** Sends a request. Returns a rejection as its message. */
async function send(request: TransportRequest): Promise<{ body?: Body; headers?: object; refused?: string }> {
  try {
    const { body, headers } = await server.send(request);
    return { body: body as Body, headers };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

const path = (kind: string, version = "v1") => `/apis/${group}/${version}/namespaces/default/${plurals.get(kind)}`;
let count = 0;

function create(kind: string, spec: unknown, { dryRun = true, version = "v1" } = {}) {
  const name = `${kind.toLowerCase()}-${count++}`;
  const body = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
  return send({ method: "POST", path: path(kind, version), body, query: dryRun ? { dryRun: "All" } : {} });
}

const refused = async (kind: string, spec: object) => (await create(kind, spec)).refused ?? "accepted";

for (const { name, good, bad, becomes = [], updates = [] } of kinds) {
  describe(name, () => {
    for (const spec of good) {
      it(`accepts ${JSON.stringify(spec)}`, async () => expect(await refused(name, spec)).toBe("accepted"));
    }
    for (const [spec, message] of bad) {
      it(`rejects ${JSON.stringify(spec)}`, async () => expect(await refused(name, spec)).toMatch(message));
    }
    for (const [spec, kept] of becomes) {
      it(`stores the expected parts of ${JSON.stringify(spec)}`, async () =>
        expect((await create(name, spec)).body?.spec).toEqual(kept));
    }
    for (const [before, after, message] of updates) {
      it(`${message ? "rejects" : "accepts"} ${JSON.stringify(after)} after ${JSON.stringify(before)}`, async () => {
        const { body } = await create(name, before, { dryRun: false });
        const changed = { ...body, spec: after };
        const { refused: why } = await send({
          method: "PUT",
          path: `${path(name)}/${body?.metadata.name}`,
          body: changed,
        });
        if (message) expect(why).toMatch(message);
        else expect(why).toBeUndefined();
      });
    }
  });
}

it("the suite has at least thirty kinds", () => expect(kinds.length + 4).toBeGreaterThanOrEqual(30));

describe("a generated CRD in the API server", () => {
  const robot = { model: "a", replicas: 2 };

  it("has a separate status subresource", async () => {
    const { body } = await create("Robot", robot, { dryRun: false });
    const target = `${path("Robot")}/${body?.metadata.name}`;
    const plain = await send({ method: "PUT", path: target, body: { ...body, status: { replicas: 7 } } });
    expect(plain.body).not.toHaveProperty("status");
    const status = await send({
      method: "PUT",
      path: `${target}/status`,
      body: { ...plain.body, status: { replicas: 7 } },
    });
    expect(status.body?.status).toEqual({ replicas: 7 });
  });

  it("has a scale subresource", async () => {
    const { body } = await create("Robot", robot, { dryRun: false });
    const target = `${path("Robot")}/${body?.metadata.name}/scale`;
    const scale = await send({ method: "GET", path: target });
    expect(scale.body?.spec).toEqual({ replicas: 2 });
    const body5 = { ...scale.body, spec: { replicas: 5 } };
    expect((await send({ method: "PUT", path: target, body: body5 })).body?.spec).toEqual({ replicas: 5 });
  });

  it("supports field selectors", async () => {
    await create("Robot", { model: "rare", replicas: 1 }, { dryRun: false });
    const query = { fieldSelector: "spec.model=rare" };
    const { body } = await send({ method: "GET", path: path("Robot"), query });
    expect(body?.items).toHaveLength(1);
    const other = await send({ method: "GET", path: path("Robot"), query: { fieldSelector: "spec.replicas=1" } });
    expect(other.refused).toMatch(/field label not supported/);
  });

  it("has the printer columns", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { body } = await send({ method: "GET", path: path("Robot"), accept });
    const columns = body?.columnDefinitions as { name: string; type: string; priority: number }[];
    expect(columns.map(({ name, type, priority }) => [name, type, priority])).toEqual([
      ["Name", "string", 0],
      ["Model", "string", 0],
      ["Replicas", "integer", 0],
      ["Age", "date", 1],
    ]);
    const rows = body?.rows as { cells: unknown[] }[];
    expect(rows.every(({ cells }) => typeof cells[1] === "string" && typeof cells[2] === "number")).toBe(true);
  });

  it("doesn't serve an unserved version, and warns of a deprecated one", async () => {
    expect((await send({ method: "GET", path: path("Robot", "v1alpha1") })).refused).toMatch(/404/);
    const old = await create("Robot", { model: "a", replicas: 1, extra: "x" }, { version: "v2" });
    expect(JSON.stringify(old.headers)).toContain("use v1, it is better");
    const fresh = await create("Robot", robot);
    expect(JSON.stringify(fresh.headers)).not.toContain("use v1");
  });

  it("has the names and the scope of the markers", async () => {
    const { body } = await send({ method: "GET", path: `/apis/${group}/v1` });
    const resources = body?.resources as { name: string; kind: string }[];
    expect(resources.find(({ kind, name }) => kind === "Machine" && !name.includes("/"))).toMatchObject({
      name: "machinery",
      singularName: "engine",
      namespaced: false,
      shortNames: ["mc", "eng"],
      categories: ["all", "iron"],
    });
  });

  it("has labels and annotations", async () => {
    const { body } = await send({
      method: "GET",
      path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/machinery.${group}`,
    });
    expect(body?.metadata).toMatchObject({ labels: { team: "iron" }, annotations: { docs: "https://example.com" } });
  });
});
