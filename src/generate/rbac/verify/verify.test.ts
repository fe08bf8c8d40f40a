import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { variants } from "../../../../scripts/test-support/thorough.ts";
import { runCli } from "../../../cli/test-support/run-cli.ts";
import { binding, checkout, createRoot, type Finding, findingsOf, head, lines } from "./test-support/findings.ts";

const ids = (findings: Finding[]) => findings.map(({ id }) => id);
const hints = (findings: Finding[]) => findings.map(({ hint }) => hint);
const missing = (findings: Finding[]) => findings.filter(({ id }) => id === "rbac-missing").map(({ hint }) => hint);
const add = (marker: string) => `add \`// +kubebuilder:rbac:${marker}\``;

describe("missing permissions", () => {
  const calls: readonly (readonly [call: string, marker: string])[] = [
    ["client.get(Pod, key)", "groups=core,resources=pods,verbs=get"],
    ["client.list(Pod)", "groups=core,resources=pods,verbs=list"],
    ["client.watch(Pod)", "groups=core,resources=pods,verbs=watch"],
    ["client.create(game)", "groups=shop.example.com,resources=games,verbs=create"],
    ["client.update({ ...game, spec: {} })", "groups=shop.example.com,resources=games,verbs=update"],
    ["client.patch(game, mergeFrom(game))", "groups=shop.example.com,resources=games,verbs=patch"],
    [
      'client.apply({ apiVersion: "batch/v1", kind: "Job" }, { fieldOwner: "x" })',
      "groups=batch,resources=jobs,verbs=create;patch",
    ],
    ["client.delete(game)", "groups=shop.example.com,resources=games,verbs=delete"],
    ["client.delete(Deployment, key)", "groups=apps,resources=deployments,verbs=delete"],
    ["client.deleteAllOf(Pod, { namespace: 'a' })", "groups=core,resources=pods,verbs=deletecollection"],
    ["client.status.update(game)", "groups=shop.example.com,resources=games/status,verbs=update"],
    ["client.status.patch(game, mergeFrom(game))", "groups=shop.example.com,resources=games/status,verbs=patch"],
    ["client.status.apply(game, { fieldOwner: 'x' })", "groups=shop.example.com,resources=games/status,verbs=patch"],
    ["client.subResource('scale').get(game)", "groups=shop.example.com,resources=games/scale,verbs=get"],
    ["client.subResource('eviction').create(pod(), {} as never)", "groups=core,resources=pods/eviction,verbs=create"],
    ["createOrUpdate(client, pod(), () => {})", "groups=core,resources=pods,verbs=get;create;update"],
    ["createOrPatch(client, pod(), () => {})", "groups=core,resources=pods,verbs=get;create;patch"],
    ["patchStatus(client, game, () => {})", "groups=shop.example.com,resources=games/status,verbs=patch"],
    ["mgr.recorder('x')", "groups=events.k8s.io,resources=events,verbs=create;patch"],
    ["setControllerReference(game, pod())", "groups=shop.example.com,resources=games/finalizers,verbs=update"],
    ["newControllerManagedBy(mgr).for(Game)", "groups=shop.example.com,resources=games,verbs=list;watch"],
    ["newControllerManagedBy(mgr).owns(Deployment)", "groups=apps,resources=deployments,verbs=list;watch"],
    ["newControllerManagedBy(mgr).watchesMetadata(Secret, null!)", "groups=core,resources=secrets,verbs=list;watch"],
    ["mgr.cache.inform(ConfigMap)", "groups=core,resources=configmaps,verbs=list;watch"],
    ["mgr.apiReader.get(Node, { name: 'n' })", "groups=core,resources=nodes,verbs=get"],
    ["mgr.client.get(Service, key, { metadataOnly: true })", "groups=core,resources=services,verbs=get"],
    [
      'Manager.create({} as never, { leaderElection: true, leaderElectionID: "x", metrics: { secureServing: false } })',
      "groups=coordination.k8s.io,resources=leases,verbs=get;create;update",
    ],
  ];
  const pod = "declare function pod(): Pod;\n";
  /** The verbs of markers, one line per resource and verb. */
  const verbsOf = (markers: readonly string[]) => {
    const lines = markers.flatMap((marker) => {
      const [, resource, verbs = ""] = /(groups=\S+),verbs=([\w;]+)/.exec(marker) ?? [];
      return verbs.split(";").map((verb) => `${resource} ${verb}`);
    });
    return [...new Set(lines)].sort();
  };

  test("are those of all calls together, one finding per resource, which contains its calls", async () => {
    const findings = await findingsOf(`${pod}${calls.map(([call]) => `void ${call};\n`).join("")}`);
    expect(new Set(ids(findings))).toEqual(new Set(["rbac-missing"]));
    expect(verbsOf(hints(findings).map(String))).toEqual(verbsOf(calls.map(([, marker]) => marker)));
    expect(findings.map(({ message }) => message.split(": no marker allows")[0]).sort()).toMatchInlineSnapshot(`
      [
        "apiReader.get",
        "cache.inform",
        "client.apply",
        "client.create, client.update, client.patch, client.delete, for",
        "client.delete, owns",
        "client.get",
        "client.get, client.list, client.watch, client.deleteAllOf, createOrUpdate, createOrPatch",
        "create",
        "get",
        "leaderElection",
        "mgr.recorder",
        "setControllerReference",
        "status.update, status.patch, status.apply, patchStatus",
        "watchesMetadata",
      ]
    `);
  });

  for (const [call, marker] of calls) {
    fullTest(call, async () => {
      const findings = await findingsOf(`${pod}void ${call};\n`);
      expect(findings).toEqual([expect.objectContaining({ id: "rbac-missing", hint: add(marker) })]);
      expect(findings[0]!.at).toMatch(/^2:/);
    });
  }

  test("are reported with the position, the calls, and the place for the marker", async () => {
    const findings = await findingsOf(
      "// +kubebuilder:rbac:groups=core,resources=pods,verbs=get\n\nawait client.get(Pod, key);\nawait client.create({} as Pod);\nawait client.delete({} as Pod);\n",
    );
    expect(findings).toEqual([
      {
        id: "rbac-missing",
        at: "4:14",
        message: "client.create, client.delete: no marker allows create and delete of pods",
        hint: `${add("groups=core,resources=pods,verbs=create;delete")} below line ${lines + 1}`,
      },
    ]);
  });

  test("are reported for unstructured kinds and objects, with their own plural or a marker's", async () => {
    const findings = await findingsOf(
      `const Chess = groupVersion("board.example.org", "v1").kind("Chess", { plural: "chessboards" });
await client.get(Chess, key);
await client.create({ apiVersion: Chess.apiVersion, kind: Chess.kind });
const raw: KubernetesObject = { apiVersion: "networking.k8s.io/v1", kind: "Ingress" };
await client.create(raw);
await client.get(Game2, key);
`,
      {
        "src/types.ts": "",
        "api/v1/game.ts": `// +groupName=ludo.example.com
import { groupVersion, type KubernetesObject } from "@kubewright/runtime";
// +kubebuilder:resource:path=games-of-ludo,scope=Cluster
export interface Ludo extends KubernetesObject { spec: { size?: number } }
export const Ludo = groupVersion("ludo.example.com", "v1").kind<Ludo>("Ludo");
`,
        "src/main.ts": `${head.replace(
          "declare const mgr",
          'import { Ludo as Game2 } from "../api/v1/game.ts";\ndeclare const mgr',
        )}const Chess = groupVersion("board.example.org", "v1").kind("Chess", { plural: "chessboards" });
await client.get(Chess, key);
await client.create({ apiVersion: Chess.apiVersion, kind: Chess.kind });
const raw: KubernetesObject = { apiVersion: "networking.k8s.io/v1", kind: "Ingress" };
await client.create(raw);
await client.get(Game2, key);
`,
      },
    );
    expect(hints(findings)).toEqual([
      add("groups=board.example.org,resources=chessboards,verbs=get;create"),
      add("groups=networking.k8s.io,resources=ingresses,verbs=create"),
      add("groups=ludo.example.com,resources=games-of-ludo,verbs=get"),
    ]);
  });

  test("are reported for helpers in other files with the kinds of their callers", async () => {
    const helper = `import type { Client, Kind, KubernetesObject } from "@kubewright/runtime";
export async function ensure<T extends KubernetesObject>(client: Client, object: T): Promise<void> {
  await client.create(object);
}
export class Store<T extends KubernetesObject> {
  readonly #kind: Kind<T>;
  constructor(kind: Kind<T>, private readonly client: Client) { this.#kind = kind; }
  all() { return this.client.list(this.#kind); }
}
`;
    const code = `import { ensure, Store } from "./helper.ts";
await ensure(client, {} as Deployment);
await ensure(client, { apiVersion: "v1", kind: "Secret" });
new Store(ConfigMap, client).all();
for (const kind of [Pod, Node]) await client.deleteAllOf<KubernetesObject>(kind);
[Service].map((kind) => client.get(kind, key));
`;
    const findings = await findingsOf(code, { "src/helper.ts": helper });
    expect(ids(findings)).toEqual(findings.map(() => "rbac-missing"));
    expect(hints(findings).sort()).toEqual(
      [
        "groups=apps,resources=deployments,verbs=create",
        "groups=core,resources=configmaps,verbs=list",
        "groups=core,resources=nodes,verbs=deletecollection",
        "groups=core,resources=pods,verbs=deletecollection",
        "groups=core,resources=secrets,verbs=create",
        "groups=core,resources=services,verbs=get",
      ].map(add),
    );
  });

  test("aren't reported if all markers together allow the calls, including wildcards and other roles", async () => {
    const markers = `// +kubebuilder:rbac:groups=core,resources=pods,verbs=get
// +kubebuilder:rbac:groups="",resources=pods;nodes,verbs=list;create
// +kubebuilder:rbac:groups=*,resources=deployments,verbs=*
// +kubebuilder:rbac:groups=shop.example.com,resources=*/status,verbs=update,roleName=other

`;
    const code = `await client.get(Pod, key); await client.create({} as Pod); await client.list(Node); await client.create({} as Node); await client.list(Pod);
await client.delete(Deployment, key);
await client.status.update(game);
`;
    expect(await findingsOf(markers + code)).toEqual([]);
  });

  test("are reported if resourceNames allow only single objects", async () => {
    const marker =
      "// +kubebuilder:rbac:groups=core,resources=secrets,resourceNames=cert,verbs=get;list;create;update\n\n";
    expect(
      await findingsOf(`${marker}await client.get(Secret, key); await client.update({} as Secret);\n`),
    ).toMatchObject([{ id: "rbac-unneeded" }]);
    const findings = await findingsOf(`${marker}await client.list(Secret); await client.create({} as Secret);\n`);
    expect(missing(findings)).toEqual([
      `${add("groups=core,resources=secrets,verbs=list;create")} below line ${lines + 1}`,
    ]);
    expect(findings.find(({ id }) => id === "rbac-missing")?.message).toContain(
      "resourceNames=cert doesn't cover this call",
    );
  });

  test("are reported if a namespaced role doesn't cover cluster-scoped objects or watches of all namespaces", async () => {
    const marker = "// +kubebuilder:rbac:groups=core,resources=pods;nodes,verbs=get;list;watch,namespace=own\n\n";
    const watching = `${marker}newControllerManagedBy(mgr).for(Pod);\nawait client.get(Pod, key); await client.get(Node, { name: "n" });\n`;
    expect(missing(await findingsOf(watching))).toEqual([
      `${add("groups=core,resources=pods,verbs=list;watch")} below line ${lines + 1}`,
      `${add("groups=core,resources=nodes,verbs=get")} below line ${lines + 1}`,
    ]);
    const own = `${watching}export const cache = { defaultNamespaces: { own: {} } };\nawait client.get(Secret, key);\n`;
    expect(missing(await findingsOf(own))).toEqual([
      `${add("groups=core,resources=nodes,verbs=get")} below line ${lines + 1}`,
      `${add("groups=core,resources=secrets,verbs=get,namespace=own")} below line ${lines + 1}`,
    ]);
  });

  test("aren't reported if another role of the same service account allows the calls", async () => {
    const role = (name: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: ${name}, namespace: system }
rules:
- { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update] }
`;
    const code = 'void Manager.create({} as never, { leaderElection: true, leaderElectionID: "x" });\n';
    const files = (account: string) => ({
      "config/rbac/election.yaml": role("election"),
      "config/rbac/bindings.yaml": `${binding("manager-role", "manager")}---\n${binding("election", account)}`,
    });
    expect(await findingsOf(code, files("manager"))).toEqual([]);
    expect(ids(await findingsOf(code, files("other")))).toEqual(["rbac-missing"]);
  });

  test("are reported for leader election if a role allows only another Lease name", async () => {
    const files = {
      "config/rbac/election.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: election, namespace: system }
rules:
- { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create] }
- { apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [x.example.com], verbs: [get, update] }
`,
      "config/rbac/bindings.yaml": `${binding("manager-role", "manager")}---\n${binding("election", "manager")}`,
    };
    const code = (id: string) =>
      `void Manager.create({} as never, { leaderElection: true, leaderElectionID: ${id} });\n`;
    expect(await findingsOf(code('"x.example.com"'), files)).toEqual([]);
    // An ID that is computed at run time may be the right one.
    expect(await findingsOf(code('String(process.env["ID"])'), files)).toEqual([]);
    expect(await findingsOf(code('"renamed.example.com"'), files)).toEqual([
      expect.objectContaining({
        id: "rbac-missing",
        message:
          "leaderElection: no marker allows get and update of leases in group coordination.k8s.io: resourceNames=x.example.com doesn't cover this call",
        hint: add("groups=coordination.k8s.io,resources=leases,resourceNames=renamed.example.com,verbs=get;update"),
      }),
    ]);
  });

  test("aren't reported for code that the manager doesn't use", async () => {
    const script = `import { createClient, getConfigOrDie } from "@kubewright/runtime";
import { Pod } from "@kubewright/runtime/api/core/v1";
await createClient(getConfigOrDie()).deleteAllOf(Pod);
`;
    expect(await findingsOf("void Manager.create({} as never, {});\n", { "hack/clean.ts": script })).toEqual([]);
  });

  test("aren't reported for a client of another cluster", async () => {
    const code = `import { Cluster } from "@kubewright/runtime";
const west = await Cluster.create({} as never);
class Mirror {
  constructor(private readonly own: Client, private readonly west: Client) {}
  run() { return [this.own.get(Pod, key), this.west.get(Node, { name: "n" })]; }
}
new Mirror(mgr.client, west.client).run();
`;
    expect(missing(await findingsOf(code))).toEqual([add("groups=core,resources=pods,verbs=get")]);
  });
});

describe("unneeded permissions", () => {
  fullTest("are warnings with the reduced marker", async () => {
    const findings =
      await findingsOf(`// +kubebuilder:rbac:groups=core,resources=pods;services,verbs=get;list;watch;delete
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,namespace=x

await client.get(Pod, key);
`);
    expect(findings).toEqual([
      {
        id: "rbac-unneeded",
        at: "1:4",
        message: "no code needs list, watch and delete of pods and services, nor permissions for services",
        hint: "change the marker to `// +kubebuilder:rbac:groups=core,resources=pods,verbs=get`",
      },
      {
        id: "rbac-unneeded",
        at: "2:4",
        message: "no code needs permissions for deployments in group apps",
        hint: "remove the marker",
      },
    ]);
  });

  fullTest("don't include get for a watched kind", async () => {
    const marker = "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch\n\n";
    expect(await findingsOf(`${marker}newControllerManagedBy(mgr).owns(Deployment);\n`)).toEqual([]);
  });

  test.each([
    [
      "sends requests with a path",
      'import { createTransport } from "@kubewright/runtime";\nawait createTransport({} as never).request({ method: "GET", path: "/" });',
    ],
    ["passes its client to other code", 'import { run } from "elsewhere";\nrun(client);'],
    ["passes a client's method to other code", "export const { get } = { get: client.get };"],
  ])("aren't reported for an operator that %s", async (_, code) => {
    const marker = "// +kubebuilder:rbac:groups=core;rbac.authorization.k8s.io,resources=pods;clusterroles,verbs=*\n\n";
    const findings = ids(await findingsOf(marker + code));
    expect(findings).not.toContain("rbac-unneeded");
    expect(findings).toContain("rbac-unseen");
  });
});

describe("unknown kinds", () => {
  test("are reported once per position, and no kind is guessed", async () => {
    const findings = await findingsOf(`// +kubebuilder:rbac:groups=core,resources=pods,verbs=get;delete

export async function remove(object: KubernetesObject): Promise<void> {
  await client.delete(object);
  await client.delete(object, {});
}
`);
    expect(findings).toMatchObject([
      {
        id: "rbac-unneeded",
        hint: "change the marker to `// +kubebuilder:rbac:groups=core,resources=pods,verbs=delete`",
      },
      { id: "rbac-unknown-kind", at: "3:30" },
    ]);
  });

  test("are reported if a value is built from itself", async () => {
    const code = `let object: KubernetesObject = {} as never;
object = { ...object };
export function again(o: KubernetesObject): unknown { return again({ ...o }) ?? client.create(o); }
await client.create(object);
again(object);
`;
    expect(new Set(ids(await findingsOf(code)))).toEqual(new Set(["rbac-unknown-kind"]));
  });
});

const goldens = join(checkout, "testdata/projects");

test.each(variants(readdirSync(goldens), 0))("the golden project %s has only unneeded permissions", async (name) => {
  const options = ["rbac:roleName=manager-role,verify=true", "paths=./...", "output:none", "--json"];
  const { code, stdout } = await runCli(join(goldens, name), ["generate", ...options]);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Finding[] };
  expect(code).toBe(0);
  // Scaffolded code has more permissions than it needs, for the code that users will add.
  expect(new Set(ids(diagnostics))).toEqual(new Set(["rbac-unneeded"]));
});

test("without verify, generate doesn't check permissions", async () => {
  const root = createRoot();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/main.ts"), `${head}await client.get(Pod, key);\n`);
  const { code, stderr } = await runCli(root, ["generate", "rbac:roleName=manager-role", "paths=./..."]);
  expect(code).toBe(0);
  expect(stderr).not.toContain("[rbac-");
});

test("verify reports a runtime that isn't installed", async () => {
  const root = mkdtempSync(join(tmpdir(), "kubewright-verify-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/main.ts"), head);
  const { code, stderr } = await runCli(root, ["generate", "rbac:roleName=r,verify=true", "paths=./..."]);
  expect(code).toBe(1);
  expect(stderr).toContain("[rbac-unverified]");
});
