import { describe, expect, it } from "vitest";
import { Deployment, StatefulSet } from "../../api/apps/v1.ts";
import { ConfigMap, PersistentVolumeClaim, Pod, Secret, Service } from "../../api/core/v1.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import type { SimulateOptions } from "../options/options.ts";
import { Shop, shop } from "../shop.fixture.ts";
import { simulate } from "../simulate.ts";
import { found, operatorOf, podTemplate, sync, upgradeOf } from "./operators.fixture.ts";

type Operator = SimulateOptions["operator"];

const selector = { matchLabels: { app: "a" } };

function withDeployment(template: object, replicas?: number): Operator {
  return operatorOf(
    (owner, client) =>
      sync(client, owner, Deployment, {
        metadata: { name: owner.metadata.name },
        spec: { replicas: replicas ?? owner.spec.replicas ?? 1, selector, template },
      }),
    [Deployment],
  );
}

function withConfigMap(name: string, data: Record<string, string> = {}): Operator {
  return operatorOf((owner, client) => sync(client, owner, ConfigMap, { metadata: { name }, data }), [ConfigMap]);
}

describe("an upgrade starts no rollout", () => {
  const old = withDeployment(podTemplate());

  it("finds a changed Pod template, and replays it as seed 0", async () => {
    const finding = await found(upgradeOf(old, withDeployment(podTemplate("nginx:1.30"))));
    expect(finding).toMatchObject({
      invariant: "an upgrade starts no rollout",
      seed: 0,
      faults: [],
      message: 'Deployment default/a spec.template.spec.containers[0].image: "nginx:1.29" → "nginx:1.30"',
      upgrade: { from: ["v1"], variations: ["replace"], point: 1 },
    });
  });

  it("finds a label of the version in the Pod template", async () => {
    const next = withDeployment(podTemplate(undefined, { "example.com/version": "2" }));
    expect((await found(upgradeOf(old, next)))?.message).toBe(
      'Deployment default/a spec.template.metadata.labels["example.com/version"]: none → "2"',
    );
  });

  it("finds other replicas", async () => {
    const finding = await found(upgradeOf(withDeployment(podTemplate(), 1), withDeployment(podTemplate(), 2)));
    expect(finding).toMatchObject({
      invariant: "an upgrade starts no rollout",
      message: "Deployment default/a spec.replicas: 1 → 2",
    });
  });

  it("finds a field of a StatefulSet", async () => {
    const withSet = (minReadySeconds: number): Operator =>
      operatorOf(
        (owner, client) =>
          sync(client, owner, StatefulSet, {
            metadata: { name: "a" },
            spec: { replicas: 1, serviceName: "a", selector, minReadySeconds, template: podTemplate() },
          }),
        [StatefulSet],
      );
    expect(await found(upgradeOf(withSet(0), withSet(5)))).toMatchObject({
      invariant: "an upgrade starts no rollout",
      message: expect.stringContaining("StatefulSet default/a spec.minReadySeconds"),
    });
  });

  it("finds the deletion of a ready Pod", async () => {
    const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "main", image: "nginx" }] } };
    const before = operatorOf((owner, client) => sync(client, owner, Pod, pod), [Pod]);
    const next = operatorOf(
      async (owner, client) => {
        const stored = await ignoreNotFound(client.get(Pod, { namespace: "default", name: "a" }));
        if (stored && !stored.metadata.annotations?.checked) await client.delete(stored);
        await sync(client, owner, Pod, { ...pod, metadata: { name: "a", annotations: { checked: "true" } } });
      },
      [Pod],
    );
    const finding = await found(upgradeOf(before, next));
    expect(finding).toMatchObject({
      invariant: "an upgrade starts no rollout",
      message: "new deletes Pod default/a, which is ready",
    });
    const allow = [{ kind: Pod, action: "replace", reason: "immutable" }] as const;
    expect(await found(upgradeOf(before, next, { upgrade: { allow } }))).toBeUndefined();
  });

  it("finds the deletion of a ready Pod that isn't replaced, although replacements are allowed", async () => {
    const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "main", image: "nginx" }] } };
    const before = operatorOf((owner, client) => sync(client, owner, Pod, pod), [Pod]);
    const next = operatorOf((_owner, client) =>
      client.delete(Pod, { namespace: "default", name: "a" }).catch(() => {}),
    );
    const allow = [{ kind: Pod, action: "replace", reason: "immutable" }] as const;
    expect(await found(upgradeOf(before, next, { upgrade: { allow, variations: ["replace"] } }))).toMatchObject({
      invariant: "an upgrade starts no rollout",
      message: "new deletes Pod default/a, which is ready",
    });
  });

  it("lists a renamed port of a Service, which breaks no rule", async () => {
    const withService = (name: string): Operator =>
      operatorOf(
        (owner, client) =>
          sync(client, owner, Service, { metadata: { name: "a" }, spec: { ports: [{ name, port: 80 }] } }),
        [Service],
      );
    const { changes, findings } = await simulate(upgradeOf(withService("web"), withService("http")));
    expect(findings).toEqual([]);
    expect(changes).toMatchObject([
      { kind: "Service", action: "changed", path: "spec.ports[0].name", before: "web", after: "http", allowed: null },
    ]);
  });

  it("accepts an allowed change, and reports entries that allow nothing", async () => {
    const allow = [{ kind: Deployment, path: "spec.template.spec.containers[*].image", reason: "nginx 1.30" }];
    const report = await simulate(upgradeOf(old, withDeployment(podTemplate("nginx:1.30")), { upgrade: { allow } }));
    expect(report.findings).toEqual([]);
    expect(report.changes).toEqual([
      {
        ...{ file: expect.any(String), test: expect.any(String), from: "v1" },
        ...{ kind: "Deployment", namespace: "default", name: "a", action: "changed" },
        ...{ path: "spec.template.spec.containers[0].image", before: "nginx:1.29", after: "nginx:1.30" },
        allowed: "nginx 1.30",
      },
    ]);
  });
});

it("an upgrade replaces nothing", async () => {
  const next = operatorOf(
    async (owner, client) => {
      const stored = await ignoreNotFound(client.get(ConfigMap, { namespace: "default", name: "a" }));
      if (stored && stored.data?.version !== "2") await client.delete(stored);
      await sync(client, owner, ConfigMap, { metadata: { name: "a" }, data: { version: "2" } });
    },
    [ConfigMap],
  );
  const options = upgradeOf(withConfigMap("a"), next);
  expect(await found(options)).toMatchObject({
    invariant: "an upgrade replaces nothing",
    message: "ConfigMap default/a of v1 was deleted and created again",
  });
  const allow = [{ kind: ConfigMap, action: "replace", reason: "immutable" }] as const;
  expect(await found({ ...options, upgrade: { allow } })).toBeUndefined();
});

describe("an upgrade leaves nothing behind", () => {
  it("finds a renamed child", async () => {
    const options = upgradeOf(withConfigMap("a"), withConfigMap("a-settings"));
    expect(await found(options)).toMatchObject({
      invariant: "an upgrade leaves nothing behind",
      message: "ConfigMap default/a of v1 remains: new neither restores nor deletes it",
    });
    const allow = [{ kind: ConfigMap, action: "leave", name: "a*", reason: "removed in the next version" }] as const;
    expect(await found({ ...options, upgrade: { allow } })).toBeUndefined();
  });

  it("accepts a renamed child if the new version deletes the old one", async () => {
    const next = operatorOf(
      async (owner, client) => {
        await sync(client, owner, ConfigMap, { metadata: { name: "a-settings" }, data: {} });
        const old = await ignoreNotFound(client.get(ConfigMap, { namespace: "default", name: "a" }));
        if (old) await client.delete(old);
      },
      [ConfigMap],
    );
    expect(await found(upgradeOf(withConfigMap("a"), next))).toBeUndefined();
  });

  it("finds a claim that has lost its Pod", async () => {
    const withClaim = (name: string): Operator =>
      operatorOf(
        async (owner, client) => {
          await sync(client, owner, PersistentVolumeClaim, {
            metadata: { name },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          });
          const volumes = [{ name: "data", persistentVolumeClaim: { claimName: name } }];
          await sync(client, owner, Pod, {
            metadata: { name },
            spec: { volumes, containers: [{ name: "main", image: "nginx" }] },
          });
          for (const { metadata } of (await client.list(Pod, { namespace: "default" })).items) {
            if (metadata.name !== name) await client.delete(Pod, metadata);
          }
        },
        [Pod, PersistentVolumeClaim],
      );
    const allow = [
      { kind: Pod, path: "status", reason: "test" },
      { kind: Pod, action: "replace", reason: "test" },
    ] as const;
    const options = upgradeOf(withClaim("a"), withClaim("b"), { upgrade: { allow } });
    const { invariant, message } = (await found(options)) ?? {};
    expect(invariant).toBe("an upgrade leaves nothing behind");
    expect(message).toContain("PersistentVolumeClaim default/a");
  });

  it("finds a field that only a field manager of the old version owns", async () => {
    const applied = (fieldOwner: string, data: Record<string, string>): Operator =>
      operatorOf(
        (owner, client) => {
          const { apiVersion, kind } = ConfigMap;
          const { name, uid } = owner.metadata;
          const ownerReferences = [{ apiVersion: Shop.apiVersion, kind: "Shop", name, uid, controller: true }];
          const object = { apiVersion, kind, metadata: { namespace: "default", name: "a", ownerReferences }, data };
          return client.apply(object as ConfigMap, { fieldOwner, force: true });
        },
        [ConfigMap],
      );
    const old = applied("game", { color: "red", size: "1" });
    expect(await found(upgradeOf(old, applied("game-controller", { color: "red" })))).toMatchObject({
      invariant: "an upgrade leaves nothing behind",
      message: "ConfigMap default/a data.size: only a field manager of v1 owns it",
    });
    const twin = upgradeOf(old, applied("game", { color: "red" }));
    expect(await found(twin)).toBeUndefined();
  });
});

describe("an upgrade changes no secret", () => {
  const withPassword = (name: string, isKept: boolean): Operator =>
    operatorOf(
      async (owner, client) => {
        const stored = await ignoreNotFound(client.get(Secret, { namespace: "default", name: "a" }));
        if (stored && (isKept || stored.metadata.labels?.by === name)) return;
        const data = { password: Buffer.from(`${name}-${Math.random()}`).toString("base64") };
        await sync(client, owner, Secret, { metadata: { name: "a", labels: { by: name } }, data });
      },
      [Secret],
    );

  it("finds a password that is generated again, and doesn't show it", async () => {
    const finding = await found(upgradeOf(withPassword("v1", true), withPassword("v2", false)));
    expect(finding?.invariant).toBe("an upgrade changes no secret");
    expect(finding?.message).toMatch(/^Secret default\/a data\.password: /);
    expect(JSON.stringify(finding)).not.toMatch(/djE|djI/);
  });

  it("accepts a kept password", async () => {
    expect(await found(upgradeOf(withPassword("v1", true), withPassword("v2", true)))).toBeUndefined();
  });
});

describe("an upgrade loses no data", () => {
  it("finds a label of a user that is gone", async () => {
    const scenario: SimulateOptions["scenario"] = async (world) => {
      const labelled = shop();
      await world.client.create({ ...labelled, metadata: { ...labelled.metadata, labels: { team: "a" } } });
      await world.settled();
    };
    const next = operatorOf(async (owner, client) => {
      if (owner.metadata.labels?.version === "2") return;
      await client.update({ ...owner, metadata: { ...owner.metadata, labels: { version: "2" } } });
    });
    expect(await found(upgradeOf(withConfigMap("a"), next, { scenario }))).toMatchObject({
      invariant: "an upgrade loses no data",
      message: 'Shop default/a metadata.labels.team: "a" → none',
    });
  });

  it("finds a status field and a condition that are gone", async () => {
    const withStatus = (status: object): Operator =>
      operatorOf(async (owner, client) => {
        if (JSON.stringify(owner.status) === JSON.stringify(status)) return;
        await client.status.update({ ...owner, status });
      });
    const [ready, stored] = ["Ready", "Stored"].map((type) => ({ type, status: "True" }));
    const old = withStatus({ bucket: "a", conditions: [ready, stored] });
    expect((await found(upgradeOf(old, withStatus({ conditions: [ready, stored] }))))?.message).toBe(
      'Shop default/a status.bucket: "a" → none',
    );
    expect((await found(upgradeOf(old, withStatus({ bucket: "a", conditions: [stored] }))))?.message).toContain(
      "status.conditions[type=Ready]",
    );
    const moved = withStatus({ bucket: "a", conditions: [stored, ready] });
    expect(await found(upgradeOf(old, moved))).toBeUndefined();
  });
});

it("versions don't fight", async () => {
  const stamping = (version: string, needLeaderElection: boolean): Operator =>
    operatorOf(
      (owner, client) => sync(client, owner, ConfigMap, { metadata: { name: "a" }, data: { version } }),
      [ConfigMap],
      { needLeaderElection },
    );
  const upgrade = { variations: ["overlap"] } as const;
  const finding = await found(upgradeOf(stamping("1", false), stamping("2", false), { upgrade, seed: 0 }));
  expect(finding?.invariant).toBe("versions don't fight");
  expect(await found(upgradeOf(stamping("1", true), stamping("2", true), { upgrade }))).toBeUndefined();
});

describe("a rollback works", () => {
  const upgrade = { variations: ["replace", "rollback"] } as const;

  it("finds a field that the old version doesn't set back", async () => {
    const creating = (data: Record<string, string>, isUpdated: boolean): Operator =>
      operatorOf(
        async (owner, client) => {
          const stored = await ignoreNotFound(client.get(ConfigMap, { namespace: "default", name: "a" }));
          if (!stored || isUpdated) await sync(client, owner, ConfigMap, { metadata: { name: "a" }, data });
        },
        [ConfigMap],
      );
    const next = creating({ version: "2" }, true);
    expect(await found(upgradeOf(creating({ version: "1" }, false), next, { upgrade }))).toMatchObject({
      invariant: "a rollback works",
      message: 'unlike before the upgrade: ConfigMap default/a data.version: "1" → "2"',
    });
    expect(await found(upgradeOf(creating({ version: "1" }, true), next, { upgrade }))).toBeUndefined();
  });

  it("finds an object that doesn't exist afterwards, although replacements are allowed", async () => {
    const once = operatorOf(async (owner, client) => {
      if (owner.metadata.annotations?.created) return;
      await sync(client, owner, ConfigMap, { metadata: { name: "a" }, data: {} });
      const annotations = { ...owner.metadata.annotations, created: "true" };
      await client.update({ ...owner, metadata: { ...owner.metadata, annotations } });
    });
    const next = operatorOf((_owner, client) =>
      client.delete(ConfigMap, { namespace: "default", name: "a" }).catch(() => {}),
    );
    const allow = [{ kind: ConfigMap, action: "replace", reason: "immutable" }] as const;
    expect(await found(upgradeOf(once, next, { upgrade: { ...upgrade, allow } }))).toMatchObject({
      invariant: "a rollback works",
      message: "ConfigMap default/a of v1 doesn't exist after the rollback",
    });
  });

  it("finds a finalizer that the old version doesn't know", async () => {
    const finalizer = "simulation.test/new";
    const withFinalizer = operatorOf(
      async (owner, client) => {
        if (owner.metadata.finalizers?.includes(finalizer)) return;
        await client.update({ ...owner, metadata: { ...owner.metadata, finalizers: [finalizer] } });
      },
      [],
      { onDeletion: (owner, client) => client.update({ ...owner, metadata: { ...owner.metadata, finalizers: [] } }) },
    );
    const finding = await found(
      upgradeOf(
        operatorOf(async () => {}),
        withFinalizer,
        { upgrade },
      ),
    );
    expect(finding?.invariant).toBe("a rollback works");
    expect(finding?.message).toContain(`it has the finalizer ${finalizer}`);
  });
});

it("a child that fails to update is a finding of the new version", async () => {
  const withSelector = (app: string): Operator =>
    operatorOf(
      (owner, client) =>
        sync(client, owner, Deployment, {
          metadata: { name: "a" },
          spec: {
            replicas: 1,
            selector: { matchLabels: { app } },
            template: { ...podTemplate(), metadata: { labels: { app } } },
          },
        }),
      [Deployment],
    );
  const finding = await found(upgradeOf(withSelector("a"), withSelector("b")));
  expect(finding?.invariant).toBe("a reconcile succeeds at last");
});
