import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConfigMap, Secret } from "../../api/core/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import { groupVersion } from "../../api/kind.ts";
import { newControllerManagedBy } from "../../builder/builder.ts";
import { createClient } from "../../client/create-client.ts";
import { getConfigOrDie } from "../../config/load-config.ts";
import { addFinalizer, removeFinalizer } from "../../controllerutil/finalizers.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import { parseManagerFlags } from "../../manager/flags.ts";
import { Manager } from "../../manager/manager.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { testLogger } from "../../testing/test-logger.ts";
import { startOperator, TestEnvironment, type TestedOperator } from "../index.ts";
import { crd } from "../testdata/crd.ts";

const games = { apiGroups: ["test.kubewright.io"], resources: ["games"] };
const rules = {
  games: { ...games, verbs: ["get", "list", "watch", "update", "patch"] },
  status: { ...games, resources: ["games/status"], verbs: ["patch"] },
  configMaps: { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "get", "patch"] },
};
const Game = groupVersion("test.kubewright.io", "v1").kind<KubernetesObject>("Game");
const finalizer = "test.kubewright.io/cleanup";

/** The program of an operator, as src/main.ts. */
async function main(
  extra: (mgr: Manager) => Promise<void> = async () => {},
  options: Parameters<typeof Manager.create>[1] = {},
): Promise<void> {
  const flags = parseManagerFlags();
  const election = { leaderElection: true, leaderElectionID: "games" };
  const mgr = await Manager.create(getConfigOrDie(flags), { ...election, ...options });
  const reconciler: Reconciler = {
    async reconcile(_ctx, request) {
      const game = await ignoreNotFound(mgr.client.get(Game, request));
      if (game === undefined) return;
      if (game.metadata.deletionTimestamp) {
        if (removeFinalizer(game, finalizer)) await mgr.client.update(game);
        return;
      }
      // The next reconcile creates the ConfigMap.
      if (addFinalizer(game, finalizer)) return void (await mgr.client.update(game));
      const { namespace, name } = request;
      const child = { apiVersion: "v1", kind: "ConfigMap" as const, metadata: { namespace, name } };
      await mgr.client.apply(child, { fieldOwner: "games", force: true });
    },
  };
  await newControllerManagedBy(mgr).for(Game).complete(reconciler);
  await extra(mgr);
  await mgr.start(new AbortController().signal);
}

describe("an operator with the permissions of a role", () => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-roles-"));
  const environment = new TestEnvironment({ crds: [crd("games", "Game") as KubernetesObject] });
  const logger = testLogger(beforeEach);
  let operator: TestedOperator | undefined;
  let users = 0;

  beforeAll(async () => {
    await environment.start();
  });
  afterEach(async () => {
    await operator?.stop();
    operator = undefined;
  });
  afterAll(async () => {
    await environment.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const file = (name: string, content: unknown): string => {
    const path = join(directory, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const role = (given: readonly object[], kind = "ClusterRole", namespace?: string) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind,
    metadata: { name: `manager-${users}`, namespace },
    rules: given,
  });
  const sample = (name: string) =>
    file("sample.yaml", { apiVersion: "test.kubewright.io/v1", kind: "Game", metadata: { name } });

  /** Starts the program as a user who has exactly these permissions. */
  async function start(given: readonly object[], program: () => Promise<void> = main): Promise<TestedOperator> {
    const paths = [file(`role-${++users}.yaml`, role(given))];
    const config = await environment.addUser(`manager-${users}`, [], { rolePaths: paths });
    const load = async () => void program().catch(() => process.exit(1));
    operator = await startOperator(load, { config, logger, timeout: 60_000 });
    return operator;
  }

  it("reconciles and deletes objects", async () => {
    const started = await start(Object.values(rules));
    const samples = await environment.createObjects([sample("complete")]);
    await started.settled(samples);
    await environment.deleteObjects(samples);
    await started.settled();
  });

  it("reconciles the samples of a directory with a kustomization, once if two have the same name", async () => {
    const samples = mkdtempSync(join(directory, "samples-"));
    const text = "apiVersion: test.kubewright.io/v1\nkind: Game\nmetadata:\n  name: twice\n";
    writeFileSync(join(samples, "kustomization.yaml"), "resources:\n- a.yaml\n- b.yaml\n");
    for (const name of ["a.yaml", "b.yaml"]) writeFileSync(join(samples, name), text);
    const started = await start(Object.values(rules));
    const created = await environment.createObjects([samples]);
    expect(created.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(["default/twice"]);
    await started.settled(created);
    // The operators of the next tests would reconcile it.
    await environment.deleteObjects(created);
  });

  it("creates the namespaces that objects name, those among the objects first, and leaves files out", async () => {
    const samples = mkdtempSync(join(directory, "namespaces-"));
    const object = (name: string, namespace: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n`;
    writeFileSync(join(samples, "a.yaml"), object("a", "own"));
    writeFileSync(join(samples, "b.yaml"), object("b", "missing"));
    writeFileSync(
      join(samples, "c.yaml"),
      "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: own\n  labels: {a: b}\n",
    );
    writeFileSync(join(samples, "d.yaml"), object("INVALID", "own"));
    const created = await environment.createObjects([samples], { except: [join(samples, "d.yaml")] });
    expect(
      created.map(({ kind, metadata: { name, namespace = "", labels } }) => [kind, namespace, name, labels?.a]),
    ).toEqual([
      ["Namespace", "", "own", "b"],
      ["ConfigMap", "own", "a", undefined],
      ["ConfigMap", "missing", "b", undefined],
    ]);
  });

  it("fails with the marker of a permission that only a later reconcile needs", async () => {
    const started = await start([rules.games]);
    const samples = await environment.createObjects([sample("child")]);
    await expect(started.settled(samples)).rejects.toThrow(
      "missing permission: +kubebuilder:rbac:groups=core,resources=configmaps,verbs=patch",
    );
    await operator?.stop();
    operator = await start(Object.values(rules));
    await environment.deleteObjects(samples);
  });

  it("settles although an external system can't be reached, and still fails for a missing permission", async () => {
    let calls = 0;
    const program = (isAllowed: boolean) => () =>
      main(async (mgr) => {
        const reconcile: Reconciler["reconcile"] = async (_ctx, request) => {
          calls++;
          if (!isAllowed) await mgr.client.get(Secret, request);
          throw new Error("connect ECONNREFUSED");
        };
        await newControllerManagedBy(mgr).for(Game).named("external").complete({ reconcile });
      });
    const started = await start(Object.values(rules), program(true));
    const samples = await environment.createObjects([sample("external-system")]);
    await started.settled(samples);
    expect(calls).toBeGreaterThan(5);
    await environment.deleteObjects(samples);
    await started.settled();
    await started.stop();
    const forbidden = await start(Object.values(rules), program(false));
    const others = await environment.createObjects([sample("forbidden")]);
    await expect(forbidden.settled(others)).rejects.toThrow(
      "missing permission: +kubebuilder:rbac:groups=core,resources=secrets,verbs=",
    );
    await forbidden.stop();
    await start(Object.values(rules));
    await environment.deleteObjects(others);
  });

  it("fails at the start if the operator can't watch its kind", async () => {
    await expect(start([rules.configMaps])).rejects.toThrow(
      /^missing permission: \+kubebuilder:rbac:groups=test\.kubewright\.io,resources=games,verbs=list/,
    );
  });

  it("starts although the API server doesn't serve an external kind", async () => {
    const Missing = groupVersion("external.example.com", "v1").kind("Missing");
    const program = () =>
      main(async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Missing)
          .complete({ reconcile: async () => {} });
      });
    const started = await start(Object.values(rules), program);
    await started.settled(await environment.createObjects([sample("external")]));
  });

  it("fails at once for an object in a namespace that the operator doesn't watch", async () => {
    const cache = { defaultNamespaces: { shop: {} } };
    const started = await start(Object.values(rules), () => main(undefined, { cache }));
    const samples = await environment.createObjects([sample("unwatched")]);
    await expect(started.settled(samples)).rejects.toThrow(
      "Game default/unwatched can't be reconciled: the operator doesn't watch the namespace default",
    );
    const watched = await environment.createObjects([sample("watched")], { namespace: "shop" });
    await started.settled(watched);
    await environment.deleteObjects([...samples, ...watched]);
  });

  it("fails if the program ends before it starts the manager", async () => {
    const failing = async (): Promise<void> => {
      throw new Error("no database");
    };
    await expect(start([], failing)).rejects.toThrow("the operator ended with exit code 1");
  });

  it("restores the process after the stop", async () => {
    const before = [process.argv, process.exit, process.env.KUBECONFIG, process.env.ENABLE_WEBHOOKS, Manager.create];
    await start(Object.values(rules));
    expect(process.env.ENABLE_WEBHOOKS).toBe("false");
    await operator?.stop();
    expect([process.argv, process.exit, process.env.KUBECONFIG, process.env.ENABLE_WEBHOOKS, Manager.create]).toEqual(
      before,
    );
  });

  it("has the Roles of namespaces, which are created with them", async () => {
    const paths = [file("namespaced.yaml", role([rules.configMaps], "Role", "shop-system"))];
    const config = await environment.addUser("shop", [], { rolePaths: paths });
    const client = createClient(config);
    const map = (namespace: string) => ({
      metadata: { namespace, name: "a" },
    });
    await expect(client.create(ConfigMap, map("shop-system"))).resolves.toMatchObject({ metadata: { name: "a" } });
    await expect(client.create(ConfigMap, map("default"))).rejects.toThrow("forbidden");
  });

  it.each([
    ["a file that doesn't exist", "missing.yaml", undefined, "missing.yaml: no such file or directory (rolePaths)"],
    [
      "another kind",
      "service.yaml",
      { apiVersion: "v1", kind: "Service", metadata: { name: "a" } },
      "Service isn't a Role or ClusterRole",
    ],
    ["a Role without a namespace", "role.yaml", role([], "Role"), "has no namespace"],
  ])("rejects %s as a role", async (_, name, content, message) => {
    const path = content === undefined ? join(directory, name) : file(name, content);
    await expect(environment.addUser("other", [], { rolePaths: [path] })).rejects.toThrow(message);
  });
});
