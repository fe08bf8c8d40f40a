// kubectl reads the sets of children that have no owner reference (KEP-3659).
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { run } from "../../../../scripts/lib/run.mjs";
import { kubectlPath } from "../../../../scripts/test-support/kubectl.ts";
import { ConfigMap, type Namespace } from "../api/core/v1.ts";
import { ClusterRole } from "../api/rbac/v1.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { ctx, Game } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  // Without the label, kubectl doesn't accept a custom kind as the parent of a set.
  metadata: { name: "games.example.com", labels: { "applyset.kubernetes.io/is-parent-type": "true" } },
  spec: {
    group: "example.com",
    names: { kind: "Game", plural: "games", singular: "game", listKind: "GameList" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything } } },
      },
    ],
  },
};
const children = childrenOf(Game, { role: ClusterRole, config: ConfigMap, own: ConfigMap });
const environment = new TestEnvironment({ crds: [crd] });
let client: Client;

beforeAll(async () => {
  client = await createClient(await environment.start());
  const other: Namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } };
  await client.create(other);
});
afterAll(() => environment.stop());

/** Creates a game with two children outside of owner references and one with a reference, all named like it. */
async function createGame(name: string): Promise<void> {
  const metadata = { namespace: "default", name };
  const game = await client.create<Game>({ apiVersion: "example.com/v1", kind: "Game", metadata, spec: {} });
  const { results } = await children.reconcile(ctx, client, game, {
    role: { rules: [] },
    config: { metadata: { namespace: "other" }, data: { a: "1" } },
    own: { data: {} },
  });
  expect(results.map(({ action }) => action)).toEqual(["created", "created", "created"]);
}

function kubectl(args: readonly string[], input = ""): ReturnType<typeof run> {
  const env = { KUBECONFIG: environment.kubeconfigPath, KUBECTL_APPLYSET: "true" };
  return run(kubectlPath(), args, { env, input });
}

/** Applies another ConfigMap as the only member of the set of the game, and prunes the others. */
function applySet(name: string): ReturnType<typeof run> {
  const manifest = stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", name: `extra-${name}` },
    data: {},
  });
  const args = ["apply", "-n", "default", "--prune", `--applyset=games.example.com/${name}`, "-f", "-"];
  return kubectl(args, manifest);
}

it("kubectl lists the members by the id that the parent has", async () => {
  await createGame("listed");
  const id = (
    await kubectl(["get", "game", "listed", "-o", String.raw`jsonpath={.metadata.labels.applyset\.kubernetes\.io/id}`])
  ).stdout;
  const { stdout } = await kubectl([
    "get",
    "clusterroles,configmaps",
    "-A",
    "-o",
    "name",
    "-l",
    `applyset.kubernetes.io/part-of=${id}`,
  ]);
  expect(stdout.trim().split("\n").sort()).toEqual([
    "clusterrole.rbac.authorization.k8s.io/listed",
    "configmap/listed",
  ]);
});

it("kubectl refuses to change the set of another tooling", async () => {
  await createGame("refused");
  const { code, stderr } = await applySet("refused");
  expect(code).not.toBe(0);
  expect(stderr).toContain('already exists and is managed by tooling "kubewright" instead of "kubectl"');
  expect(await client.get(ConfigMap, { namespace: "other", name: "refused" })).toMatchObject({ data: { a: "1" } });
  await expect(client.get(ConfigMap, { namespace: "default", name: "extra-refused" })).rejects.toThrow("not found");
});

it("kubectl reads id, kinds and namespaces: it prunes the members of a set that is handed over to it", async () => {
  await createGame("given");
  await kubectl(["annotate", "--overwrite", "game", "given", "applyset.kubernetes.io/tooling=kubectl/v1.32.0"]);
  const { code, stdout, stderr } = await applySet("given");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const lines = stdout.trim().split("\n").sort();
  expect(lines).toEqual([
    "clusterrole.rbac.authorization.k8s.io/given pruned",
    "configmap/extra-given created",
    "configmap/given pruned",
  ]);
  // A child with an owner reference isn't part of the set.
  expect(await client.get(ConfigMap, { namespace: "default", name: "given" })).toMatchObject({
    metadata: { name: "given" },
  });
});
