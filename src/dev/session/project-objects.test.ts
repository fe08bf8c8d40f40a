import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DevProblem, Engine } from "@kubewright/dashboard/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import { crdDirectory, readDocuments } from "../client/manifests.ts";
import { SessionEvents } from "../store/session-events.ts";
import { ProjectObjects } from "./project-objects.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-objects-"));
  mkdirSync(join(root, "config/crd/bases"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("notes once that a CRD whose kind was removed stays in the cluster", async () => {
  const path = (name: string) => join(root, `config/crd/bases/example.com_${name}.yaml`);
  const write = (name: string) =>
    writeFileSync(
      path(name),
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}.example.com\n`,
    );
  const notes: string[] = [];
  const events = new SessionEvents();
  events.on("event", (event) => event.event === "note" && notes.push(event.message));
  const client = {
    resourceOf: async () => ({ plural: "customresourcedefinitions" }),
    get: async () => ({ metadata: { resourceVersion: "1" } }),
    request: async () => ({ metadata: { resourceVersion: "1" } }),
  } as unknown as KubeClient;
  const objects = new ProjectObjects({
    root,
    engine: "embedded",
    client: () => client,
    isConverted: () => false,
    events,
  });
  for (const name of ["carts", "orders"]) write(name);
  await objects.applyCrds();
  renameSync(path("carts"), path("baskets"));
  write("baskets");
  for (let count = 0; count < 2; count++) await objects.applyCrds();
  expect(notes).toEqual([
    "CustomResourceDefinition carts.example.com isn't in the project any longer, but stays in the cluster with its objects. To delete them: kubectl delete crd carts.example.com",
  ]);
});

it("reads samples and CRDs with the values that kubectl reads", () => {
  const text = "kind: Game\nspec:\n  mode: 0644\n  open: yes\n  day: 2020-01-01\n  size: 9007199254740993\n";
  writeFileSync(join(root, crdDirectory, "game.yaml"), text);
  expect(readDocuments(root, crdDirectory).documents).toEqual([
    { kind: "Game", spec: { mode: 420, open: true, day: "2020-01-01", size: 9007199254740993n } },
  ]);
});

it("applies CRDs with integers of 64 bits", async () => {
  const text =
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec: {size: 9007199254740993}\n";
  writeFileSync(join(root, crdDirectory, "a.yaml"), text);
  const bodies: unknown[] = [];
  const client = {
    resourceOf: async () => ({ plural: "customresourcedefinitions" }),
    get: async () => ({ metadata: { resourceVersion: "1" } }),
    request: async (request: { body?: unknown }) => {
      bodies.push(request.body);
      return { metadata: { resourceVersion: "1" } };
    },
  } as unknown as KubeClient;
  const host = {
    root,
    engine: "embedded",
    client: () => client,
    events: new SessionEvents(),
    isConverted: () => false,
  } as const;
  await new ProjectObjects(host).applyCrds();
  expect(bodies).toContainEqual(expect.objectContaining({ spec: { size: 9007199254740993n } }));
});

it("fails to accept a loss if the server refuses the CRD", async () => {
  const text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\n";
  writeFileSync(join(root, crdDirectory, "a.yaml"), text);
  const client = {
    resourceOf: async () => ({ plural: "customresourcedefinitions" }),
    get: async () => ({ metadata: { resourceVersion: "1" } }),
    request: async () => {
      throw new Error("spec.group: Required value");
    },
  } as unknown as KubeClient;
  const reported: string[] = [];
  const events = new SessionEvents();
  events.on("problems", ({ problems }) => reported.push(...problems.map(({ message }) => message)));
  const objects = new ProjectObjects({
    root,
    engine: "embedded",
    client: () => client,
    events,
    isConverted: () => false,
  });
  await expect(objects.acceptLoss()).rejects.toThrow("spec.group: Required value");
  expect(reported).toEqual([expect.stringContaining("spec.group: Required value")]);
});

describe("samples in namespaces", () => {
  /** Applies samples to a cluster that has the namespace `default` only. */
  async function apply(engine: Engine, ...samples: string[]) {
    mkdirSync(join(root, "config/samples"), { recursive: true });
    for (const [index, text] of samples.entries()) writeFileSync(join(root, `config/samples/${index}.yaml`), text);
    const namespaces = new Set(["default"]);
    const client = {
      resourceOf: async (_apiVersion: string, kind: string) => ({
        group: "",
        version: "v1",
        plural: kind,
        namespaced: kind === "Game",
      }),
      get: async ({ plural }: { plural: string }, _namespace: string, name: string) => {
        if (plural === "Namespace" && namespaces.has(name)) return { metadata: { resourceVersion: "1" } };
        throw Object.assign(new Error("not found"), { code: 404 });
      },
      request: async ({ body }: { body: KubeObject }) => {
        const { kind, metadata: { name = "", namespace } = {} } = body;
        if (kind === "Namespace") namespaces.add(name);
        if (kind === "Game" && !namespaces.has(namespace ?? "")) throw new Error(`namespaces "${namespace}" not found`);
        return { metadata: { resourceVersion: "1" } };
      },
    } as unknown as KubeClient;
    const applied: string[] = [];
    const problems: DevProblem[] = [];
    const events = new SessionEvents();
    events.on("event", (event) => {
      if (event.event !== "applied") return;
      applied.push(...event.objects.map(({ kind, name, action }) => `${action} ${kind} ${name}`));
    });
    events.on("problems", (reported) => problems.push(...reported.problems));
    const objects = new ProjectObjects({
      root,
      engine,
      client: () => client,
      isConverted: () => false,
      events,
    });
    await objects.applySamples();
    return { applied, problems };
  }
  const game = "apiVersion: v1\nkind: Game\nmetadata: {name: chess, namespace: shop}\n";

  it("creates the namespaces that samples name", async () => {
    const cluster = "apiVersion: v1\nkind: Cluster\nmetadata: {name: one, namespace: ignored}\n";
    const { applied, problems } = await apply("embedded", game, game.replace("chess", "go"), cluster);
    expect(problems).toEqual([]);
    expect(applied).toEqual(["created Namespace shop", "created Game chess", "created Game go", "created Cluster one"]);
  });

  it("applies namespaces among the samples first, as they are", async () => {
    const { applied, problems } = await apply(
      "embedded",
      game,
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n",
    );
    expect(problems).toEqual([]);
    expect(applied).toEqual(["created Namespace shop", "created Game chess"]);
  });

  it("creates none in the user's cluster, with a hint", async () => {
    const { applied, problems } = await apply("cluster", game);
    expect(applied).toEqual(["failed Game chess"]);
    expect(problems).toEqual([
      {
        phase: "apply",
        message: 'Game chess: namespaces "shop" not found',
        hint: "run kubectl create namespace shop, then press a",
      },
    ]);
  });
});
