import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { Job } from "../api/batch/v1.ts";
import { ConfigMap, Namespace, PersistentVolumeClaim, Secret, Service } from "../api/core/v1.ts";
import { ApiError } from "../errors/api-error.ts";
import { isTerminal } from "../reconcile/terminal-error.ts";
import { ctx, deploymentSpec, Game, key, labels, lines, setUp, writesOf } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";
import { AnyKind, keep } from "./types.ts";

const both = childrenOf(Game, { deployment: Deployment, service: Service });
const service = { spec: { selector: labels, ports: [{ port: 80 }] } };

describe("apply", () => {
  it("creates each child with one apply, named after the owner and controlled by it", async () => {
    const { client, game } = await setUp();
    const { results, children } = await both.reconcile(ctx, client, game, {
      deployment: { metadata: { labels }, spec: deploymentSpec() },
      service,
    });
    expect(writesOf(client)).toEqual(["apply Deployment chess", "apply Service chess"]);
    expect(lines(results)).toEqual(["deployment chess created", "service chess created"]);
    const { metadata } = children.deployment!;
    expect(metadata).toMatchObject({ namespace: "default", name: "chess", labels });
    expect(metadata.ownerReferences).toEqual([
      {
        apiVersion: "example.com/v1",
        kind: "Game",
        name: "chess",
        uid: game.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(metadata.annotations).toEqual({
      "apply.kubewright.io/child": "deployment",
      "apply.kubewright.io/hash": expect.stringMatching(/^v1-[0-9a-f]{16}$/),
    });
    expect(metadata.managedFields).toMatchObject([{ manager: "game-controller", operation: "Apply" }]);
  });

  it("sends no write without a change", async () => {
    const { client, game } = await setUp();
    const wanted = { deployment: { spec: deploymentSpec() }, service };
    await both.reconcile(ctx, client, game, wanted);
    writesOf(client);
    const { results } = await both.reconcile(ctx, client, game, wanted);
    expect(writesOf(client)).toEqual([]);
    expect(lines(results)).toEqual(["deployment chess unchanged", "service chess unchanged"]);
    // The same fields in another order have the same hash.
    const { selector, ports } = service.spec;
    await both.reconcile(ctx, client, game, { ...wanted, service: { spec: { ports, selector } } });
    expect(writesOf(client)).toEqual([]);
  });

  it("sends no write in a new process", async () => {
    const { client, game } = await setUp();
    const wanted = { deployment: { spec: deploymentSpec() }, service };
    await both.reconcile(ctx, client, game, wanted);
    writesOf(client);
    await childrenOf(Game, { deployment: Deployment, service: Service }).reconcile(ctx, client, game, wanted);
    expect(writesOf(client)).toEqual([]);
  });

  it("applies a changed child only", async () => {
    const { client, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    writesOf(client);
    const { results, children } = await both.reconcile(ctx, client, game, {
      deployment: { spec: deploymentSpec("nginx:2") },
      service,
    });
    expect(writesOf(client)).toEqual(["apply Deployment chess"]);
    expect(lines(results)).toEqual(["deployment chess configured", "service chess unchanged"]);
    expect(children.deployment?.spec?.template.spec?.containers[0]?.image).toBe("nginx:2");
  });

  it("applies again if another client changes a wanted field, even back to the same value", async () => {
    const { client, server, game } = await setUp();
    const wanted = { deployment: { spec: deploymentSpec() }, service };
    await both.reconcile(ctx, client, game, wanted);
    for (const image of ["other", "nginx"]) {
      const deployment = await server.get(Deployment, key);
      deployment.spec!.template.spec!.containers[0]!.image = image;
      await server.update(deployment, { fieldOwner: "kubectl" });
    }
    writesOf(client);
    const { results } = await both.reconcile(ctx, client, game, wanted);
    expect(lines(results)).toEqual(["deployment chess configured", "service chess unchanged"]);
    const { managedFields } = (await server.get(Deployment, key)).metadata;
    expect(managedFields?.find(({ manager }) => manager === "game-controller")?.fieldsV1).toHaveProperty([
      "f:spec",
      "f:template",
      "f:spec",
      "f:containers",
      'k:{"name":"game"}',
      "f:image",
    ]);
  });

  it("never changes fields of others", async () => {
    const { client, server, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    const deployment = await server.get(Deployment, key);
    deployment.metadata.labels = { team: "a" };
    deployment.spec!.replicas = 5;
    deployment.spec!.template.spec!.containers.push({ name: "sidecar", image: "envoy" });
    deployment.spec!.template.spec!.containers[0]!.env = [{ name: "A", value: "1" }];
    await server.update(deployment, { fieldOwner: "kubectl" });
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec("nginx:2") }, service });
    const after = await server.get(Deployment, key);
    expect(after.metadata.labels).toEqual({ team: "a" });
    expect(after.spec?.replicas).toBe(5);
    expect(after.spec?.template.spec?.containers).toMatchObject([
      { name: "game", image: "nginx:2", env: [{ name: "A", value: "1" }] },
      { name: "sidecar" },
    ]);
  });

  it("removes a field that isn't wanted anymore", async () => {
    const { client, server, game } = await setUp();
    const children = childrenOf(Game, { config: ConfigMap });
    await children.reconcile(ctx, client, game, { config: { data: { a: "1", b: "2" } } });
    await children.reconcile(ctx, client, game, { config: { data: { b: "2" } } });
    expect((await server.get(ConfigMap, key)).data).toEqual({ b: "2" });
  });

  it("reports a child that the server rejects, and applies the others", async () => {
    const { client, game } = await setUp();
    const { results, throwIfFailed } = await both.reconcile(ctx, client, game, {
      deployment: { spec: { ...deploymentSpec(), selector: { matchLabels: { other: "x" } } } },
      service,
    });
    expect(lines(results)).toEqual(["deployment chess failed", "service chess created"]);
    expect(results[0]?.message).toContain("`selector` does not match template `labels`");
    expect(throwIfFailed).toThrow("1 of 2 children of Game chess failed: Deployment chess:");
  });

  it("the path of a duplicate key of a list is in the message", async () => {
    const { client, game } = await setUp();
    const spec = deploymentSpec();
    spec.template.spec.containers[0]!.ports.push({ containerPort: 80 });
    const { results } = await both.reconcile(ctx, client, game, { deployment: { spec }, service: undefined });
    expect(results[0]).toMatchObject({ action: "failed" });
    expect(results[0]?.message).toContain(
      '.spec.template.spec.containers[name="game"].ports: duplicate entries for key',
    );
  });

  it("sends at most eight requests at a time", async () => {
    let running = 0;
    let most = 0;
    const { client, game } = await setUp([], {
      apply: async (next, object, options) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        return next.apply(object, options);
      },
    });
    const many = childrenOf(Game, { configs: [ConfigMap] });
    const configs = Array.from({ length: 30 }, (_, index) => ({ metadata: { name: `c${index}` }, data: { a: "1" } }));
    const { children } = await many.reconcile(ctx, client, game, { configs });
    expect(children.configs).toHaveLength(30);
    expect(most).toBe(8);
  });

  it("does nothing for an aborted context", async () => {
    const { client, game } = await setUp();
    const stopped = { ...ctx, signal: AbortSignal.abort(new Error("stop")) };
    await expect(both.reconcile(stopped, client, game, { deployment: undefined, service })).rejects.toThrow("stop");
    expect(writesOf(client)).toEqual([]);
  });

  it("children are frozen", async () => {
    const { client, game } = await setUp();
    const wanted = { deployment: undefined, service };
    await both.reconcile(ctx, client, game, wanted);
    const { children } = await both.reconcile(ctx, client, game, wanted);
    expect(Object.isFrozen(children.service)).toBe(true);
  });
});

describe("Secrets", () => {
  const secrets = childrenOf(Game, { secret: Secret });

  it("the hash covers only the names of the keys, and values are compared", async () => {
    const { client, server, game } = await setUp();
    const hashOf = async (value: string) => {
      await secrets.reconcile(ctx, client, game, { secret: { stringData: { token: value } } });
      const secret = await server.get(Secret, key);
      expect(secret.data).toEqual({ token: Buffer.from(value).toString("base64") });
      return secret.metadata.annotations?.["apply.kubewright.io/hash"];
    };
    const first = await hashOf("a");
    expect(await hashOf("b")).toBe(first);
    expect(writesOf(client)).toEqual(["apply Secret chess", "apply Secret chess"]);
    await hashOf("b");
    expect(writesOf(client)).toEqual([]);
  });

  it("removes a key that isn't wanted anymore", async () => {
    const { client, server, game } = await setUp();
    await secrets.reconcile(ctx, client, game, { secret: { stringData: { a: "1", b: "2" } } });
    await secrets.reconcile(ctx, client, game, { secret: { stringData: { a: "1" } } });
    expect(Object.keys((await server.get(Secret, key)).data ?? {})).toEqual(["a"]);
  });
});

describe("createOnly", () => {
  const scaled = childrenOf(
    Game,
    { deployment: Deployment },
    { entries: { deployment: { createOnly: ["spec.replicas"] } } },
  );

  it("creates with a second manager, in two requests, and then leaves the field to others", async () => {
    const { client, server, game } = await setUp();
    const wanted = { deployment: { spec: deploymentSpec("nginx", 3) } };
    const { results } = await scaled.reconcile(ctx, client, game, wanted);
    expect(lines(results)).toEqual(["deployment chess created"]);
    expect(writesOf(client)).toEqual(["create Deployment chess", "patch Deployment chess"]);
    const { managedFields = [] } = (await server.get(Deployment, key)).metadata;
    expect(managedFields.map(({ manager, operation }) => `${manager} ${operation}`).sort()).toEqual([
      "game-controller Apply",
      "game-controller-create Update",
    ]);
    expect(managedFields.find(({ operation }) => operation === "Update")?.fieldsV1).toEqual({
      "f:spec": { "f:replicas": {} },
    });
    await scaled.reconcile(ctx, client, game, wanted);
    expect(writesOf(client)).toEqual([]);
    const deployment = await server.get(Deployment, key);
    deployment.spec!.replicas = 7;
    await server.update(deployment, { fieldOwner: "autoscaler" });
    await scaled.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec("nginx:2", 2) } });
    expect(writesOf(client)).toEqual(["apply Deployment chess"]);
    expect((await server.get(Deployment, key)).spec?.replicas).toBe(7);
  });

  it("a field that isn't wanted anymore is removed, although the creation has set it", async () => {
    const { client, server, game } = await setUp();
    const annotated = (annotations: Record<string, string>) => ({
      deployment: { metadata: { annotations }, spec: deploymentSpec("nginx", 3) },
    });
    await scaled.reconcile(ctx, client, game, annotated({ a: "1" }));
    await scaled.reconcile(ctx, client, game, annotated({}));
    expect((await server.get(Deployment, key)).metadata.annotations).not.toHaveProperty("a");
    expect((await server.get(Deployment, key)).spec?.replicas).toBe(3);
  });

  it("a path that an earlier version has applied keeps its value", async () => {
    const { client, server, game } = await setUp();
    const wanted = { deployment: { spec: deploymentSpec("nginx", 3) } };
    await childrenOf(Game, { deployment: Deployment }).reconcile(ctx, client, game, wanted);
    await scaled.reconcile(ctx, client, game, wanted);
    expect((await server.get(Deployment, key)).spec?.replicas).toBe(3);
    await scaled.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec("nginx:2") } });
    expect((await server.get(Deployment, key)).spec?.replicas).toBe(3);
  });
});

describe("migrateFrom", () => {
  async function updated(client: Awaited<ReturnType<typeof setUp>>, fieldOwner?: string) {
    const { server, game } = client;
    const { apiVersion, kind } = game;
    await server.create(
      {
        ...{ apiVersion: "v1", kind: "Service" },
        metadata: {
          ...key,
          annotations: { old: "1" },
          ownerReferences: [{ apiVersion, kind, name: "chess", uid: game.metadata.uid, controller: true }],
        },
        spec: { selector: labels, ports: [{ name: "http", port: 80 }] },
      } as Service,
      fieldOwner === undefined ? {} : { fieldOwner },
    );
  }
  const services = childrenOf(Game, { service: Service });
  const wanted = { service: { spec: { selector: labels, ports: [{ name: "http", port: 81 }] } } };

  it("the first apply takes over the fields of the client's default manager: a changed port isn't a second one", async () => {
    const given = await setUp();
    await updated(given);
    const { results } = await services.reconcile(ctx, given.client, given.game, wanted);
    expect(lines(results)).toEqual(["service chess configured"]);
    const { spec, metadata } = await given.server.get(Service, key);
    expect(spec?.ports?.map(({ port }) => port)).toEqual([81]);
    expect(metadata.annotations).not.toHaveProperty("old");
    writesOf(given.client);
    await services.reconcile(ctx, given.client, given.game, wanted);
    expect(writesOf(given.client)).toEqual([]);
  });

  it("fields of managers that aren't listed stay", async () => {
    const given = await setUp();
    await updated(given, "someone");
    await services.reconcile(ctx, given.client, given.game, { service: { spec: { selector: labels } } });
    expect((await given.server.get(Service, key)).metadata.annotations).toMatchObject({ old: "1" });
    const listed = childrenOf(Game, { service: Service }, { migrateFrom: ["someone"], fieldOwner: "new" });
    await listed.reconcile(ctx, given.client, given.game, {
      service: { spec: { ports: [{ name: "http", port: 80 }] } },
    });
    expect((await given.server.get(Service, key)).metadata.annotations).not.toHaveProperty("old");
  });
});

describe("existing objects", () => {
  const configs = childrenOf(Game, { config: ConfigMap });
  const config = (metadata: object = {}) =>
    ({ apiVersion: "v1", kind: "ConfigMap", metadata: { ...key, ...metadata }, data: { theirs: "1" } }) as ConfigMap;
  const wanted = { config: { data: { ours: "1" } } };

  it("an object of a user is blocked, and nothing is written", async () => {
    const { client, server, game } = await setUp([config()]);
    const { results, setStatus } = await configs.reconcile(ctx, client, game, wanted);
    expect(lines(results)).toEqual(["config chess blocked"]);
    expect(writesOf(client)).toEqual([]);
    expect((await server.get(ConfigMap, key)).data).toEqual({ theirs: "1" });
    const copy: Game = { ...game };
    setStatus(copy);
    expect(copy.status?.conditions?.find(({ type }) => type === "Stalled")).toMatchObject({
      status: "True",
      reason: "ChildBlocked",
    });
  });

  it("an object of another controller is blocked, also with adopt", async () => {
    const other = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true };
    const { client, game } = await setUp([config({ ownerReferences: [other] })]);
    const adopting = childrenOf(Game, { config: ConfigMap }, { entries: { config: { adopt: "ownerless" } } });
    const { results } = await adopting.reconcile(ctx, client, game, wanted);
    expect(results[0]).toMatchObject({ action: "blocked", message: "it is controlled by Pod p" });
    expect(writesOf(client)).toEqual([]);
  });

  it("adopt: ownerless takes over an object without a controller, and keeps its other fields", async () => {
    const { client, server, game } = await setUp([config()]);
    const adopting = childrenOf(Game, { config: ConfigMap }, { entries: { config: { adopt: "ownerless" } } });
    expect(lines((await adopting.reconcile(ctx, client, game, wanted)).results)).toEqual(["config chess configured"]);
    const adopted = await server.get(ConfigMap, key);
    expect(adopted.data).toEqual({ theirs: "1", ours: "1" });
    expect(adopted.metadata.ownerReferences?.[0]?.uid).toBe(game.metadata.uid);
    writesOf(client);
    await adopting.reconcile(ctx, client, game, wanted);
    expect(writesOf(client)).toEqual([]);
  });

  it("a child of a former owner of the same name is waiting", async () => {
    const former = { apiVersion: "example.com/v1", kind: "Game", name: "chess", uid: "former", controller: true };
    const { client, game } = await setUp([config({ ownerReferences: [former] })]);
    const { results } = await configs.reconcile(ctx, client, game, wanted);
    expect(results[0]).toMatchObject({ action: "waiting", message: "it belongs to a deleted Game of the same name" });
    expect(writesOf(client)).toEqual([]);
  });

  it("a child that is being deleted is waiting, and created when it is gone", async () => {
    const { client, server, game } = await setUp();
    await configs.reconcile(ctx, client, game, { config: { metadata: { finalizers: ["a.example.com/b"] }, data: {} } });
    await server.delete(ConfigMap, key);
    writesOf(client);
    expect(lines((await configs.reconcile(ctx, client, game, wanted)).results)).toEqual(["config chess waiting"]);
    expect(writesOf(client)).toEqual([]);
    const leaving = await server.get(ConfigMap, key);
    await server.update({ ...leaving, metadata: { ...leaving.metadata, finalizers: [] } });
    expect(lines((await configs.reconcile(ctx, client, game, wanted)).results)).toEqual(["config chess created"]);
  });

  it("an object that the cache doesn't have yet isn't taken over", async () => {
    const given = await setUp([config()], {
      get: (next, kind, name, options) =>
        options?.shared ? Promise.reject(ApiError.notFound(kind, name.name)) : next.get(kind, name, options as never),
    });
    const { results } = await configs.reconcile(ctx, given.client, given.game, wanted);
    expect(lines(results)).toEqual(["config chess blocked"]);
    expect((await given.server.get(ConfigMap, key)).data).toEqual({ theirs: "1" });
  });

  it("an object that has replaced a child in the meantime isn't taken over", async () => {
    let replace = false;
    const given = await setUp([], {
      apply: async (next, object, options) => {
        if (replace) {
          replace = false;
          await next.delete(object);
          await next.create(config());
        }
        return next.apply(object, options);
      },
    });
    await configs.reconcile(ctx, given.client, given.game, wanted);
    replace = true;
    const { results } = await configs.reconcile(ctx, given.client, given.game, { config: { data: { ours: "2" } } });
    expect(lines(results)).toEqual(["config chess blocked"]);
    expect((await given.server.get(ConfigMap, key)).data).toEqual({ theirs: "1" });
  });
});

describe("onImmutable", () => {
  const changed = { ...deploymentSpec(), selector: { matchLabels: { app: "go" } } };
  changed.template = { ...changed.template, metadata: { labels: { app: "go" } as never } };

  it("fail: reports the field, and the error is terminal", async () => {
    const { client, game } = await setUp();
    const children = childrenOf(Game, { deployment: Deployment });
    await children.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() } });
    const { results, setStatus, throwIfFailed } = await children.reconcile(ctx, client, game, {
      deployment: { spec: changed },
    });
    expect(results[0]?.message).toContain("spec.selector: Invalid value");
    const copy: Game = { ...game };
    setStatus(copy);
    expect(copy.status?.conditions?.find(({ type }) => type === "Stalled")?.reason).toBe("ChildInvalid");
    let thrown: unknown;
    try {
      throwIfFailed();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AggregateError);
    expect(isTerminal(thrown)).toBe(true);
  });

  const recreating = childrenOf(
    Game,
    { deployment: Deployment },
    { entries: { deployment: { onImmutable: "recreate" } } },
  );

  it("recreate: deletes and creates the child", async () => {
    const { client, server, game } = await setUp();
    await recreating.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() } });
    const before = await server.get(Deployment, key);
    const { results } = await recreating.reconcile(ctx, client, game, { deployment: { spec: changed } });
    expect(lines(results)).toEqual(["deployment chess recreated"]);
    const after = await server.get(Deployment, key);
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.spec?.selector.matchLabels).toEqual({ app: "go" });
  });

  it("recreate: an object that is invalid by itself isn't deleted", async () => {
    const { client, server, game } = await setUp();
    await recreating.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() } });
    const before = await server.get(Deployment, key);
    const invalid = { ...deploymentSpec(), selector: { matchLabels: { app: "go" } } };
    const { results } = await recreating.reconcile(ctx, client, game, { deployment: { spec: invalid } });
    expect(lines(results)).toEqual(["deployment chess failed"]);
    expect((await server.get(Deployment, key)).metadata.uid).toBe(before.metadata.uid);
  });
});

const rolledOut = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };

describe("order", () => {
  const ordered = childrenOf(
    Game,
    { service: Service, job: Job, deployment: Deployment, config: ConfigMap },
    { entries: { service: { after: ["deployment"] }, deployment: { after: ["config", "job"] } } },
  );
  const job = { spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "b" }] } } } };
  const wanted = { service, job, deployment: { spec: deploymentSpec() }, config: { data: { a: "1" } } };

  async function complete(client: Awaited<ReturnType<typeof setUp>>["server"], type: string) {
    const stored = await client.get(Job, key);
    const conditions = [{ type, status: "True" }];
    await client.status.update({ ...stored, status: { startTime: "2026-01-01T00:00:00Z", conditions } } as never);
  }

  it("an entry waits until those in its after are ready, and a Job must be complete", async () => {
    const { client, server, game } = await setUp();
    const run = async () => lines((await ordered.reconcile(ctx, client, game, wanted)).results);
    expect(await run()).toEqual([
      "config chess created",
      "job chess created",
      "deployment chess waiting",
      "service chess waiting",
    ]);
    await complete(server, "Suspended");
    expect((await run()).slice(2)).toEqual(["deployment chess waiting", "service chess waiting"]);
    await complete(server, "Complete");
    expect((await run()).slice(2)).toEqual(["deployment chess created", "service chess waiting"]);
    const deployment = await server.get(Deployment, key);
    const status = { observedGeneration: 1, replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    const conditions = [{ type: "Available", status: "True" }, rolledOut];
    await server.status.update({ ...deployment, status: { ...status, conditions } } as never);
    expect((await run()).slice(2)).toEqual(["deployment chess unchanged", "service chess created"]);
  });

  it("also delays later changes, also because of an old status", async () => {
    const { client, server, game } = await setUp();
    const pair = childrenOf(
      Game,
      { config: ConfigMap, deployment: Deployment },
      { entries: { config: { after: ["deployment"] } } },
    );
    const run = async (image: string) =>
      lines(
        (
          await pair.reconcile(ctx, client, game, {
            deployment: { spec: deploymentSpec(image) },
            config: { data: { image } },
          })
        ).results,
      );
    await run("a");
    const ready = async () => {
      const deployment = await server.get(Deployment, key);
      const { generation: observedGeneration } = deployment.metadata;
      const status = { observedGeneration, replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
      const conditions = [{ type: "Available", status: "True" }, rolledOut];
      await server.status.update({ ...deployment, status: { ...status, conditions } } as never);
    };
    await ready();
    expect(await run("a")).toEqual(["deployment chess unchanged", "config chess created"]);
    expect(await run("b")).toEqual(["deployment chess configured", "config chess waiting"]);
    await ready();
    expect(await run("b")).toEqual(["deployment chess unchanged", "config chess configured"]);
  });

  it("a running Job doesn't prevent its owner from being ready", async () => {
    const { client, server, game } = await setUp();
    const jobs = childrenOf(Game, { job: Job });
    await jobs.reconcile(ctx, client, game, { job });
    await complete(server, "Suspended");
    const result = await jobs.reconcile(ctx, client, game, { job });
    expect(result.ready).toBe(true);
    expect(result.results[0]?.ready).toBe(false);
  });

  it("ready replaces the default, and its failure isn't an error", async () => {
    const { client, game } = await setUp();
    let answer: () => boolean = () => false;
    const own = childrenOf(
      Game,
      { config: ConfigMap, other: ConfigMap },
      { entries: { config: { ready: ({ data }) => data !== undefined && answer() }, other: { after: ["config"] } } },
    );
    const values = { config: { data: { a: "1" } }, other: { metadata: { name: "other" }, data: {} } };
    const run = async () => (await own.reconcile(ctx, client, game, values)).results;
    expect(lines(await run())).toEqual(["config chess created", "other other waiting"]);
    answer = () => {
      throw new Error("bug");
    };
    expect((await run())[0]).toMatchObject({ ready: false, message: "ready(…) failed: bug" });
    answer = () => true;
    expect(lines(await run())).toEqual(["config chess unchanged", "other other created"]);
  });
});

describe("contested", () => {
  it("a child that is configured more than ten times a minute with one hash backs off, and a warning names the other manager", async () => {
    const { client, server, game } = await setUp();
    const configs = childrenOf(Game, { config: ConfigMap });
    const wanted = { config: { data: { a: "1" } } };
    await configs.reconcile(ctx, client, game, wanted);
    const actions: string[] = [];
    let message = "";
    for (let count = 0; count < 12; count++) {
      const config = await server.get(ConfigMap, key);
      await server.update({ ...config, data: { a: "2" } }, { fieldOwner: "rival" });
      const { results } = await configs.reconcile(ctx, client, game, wanted);
      actions.push(results[0]?.action ?? "");
      message ||= results[0]?.message ?? "";
    }
    expect(actions).toEqual([...Array.from({ length: 10 }, () => "configured"), "contested", "contested"]);
    expect(message).toContain("rival changes it again and again");
    // A new hash isn't delayed.
    const { results } = await configs.reconcile(ctx, client, game, { config: { data: { a: "3" } } });
    expect(results[0]?.action).toBe("configured");
  });
});

describe("declarations and values that aren't valid", () => {
  const cyclic = (): unknown =>
    childrenOf(Game, { a: ConfigMap, b: ConfigMap }, { entries: { a: { after: ["b"] }, b: { after: ["a"] } } });

  it("rejects declarations", () => {
    expect(cyclic).toThrow("childrenOf(Game): after must not form a cycle: a → b → a");
    const untyped = childrenOf as (...values: unknown[]) => unknown;
    expect(() => untyped(Game, { a: ConfigMap }, { entries: { a: { after: ["x"] } } })).toThrow("a is after x");
    expect(() => untyped(Game, { a: ConfigMap }, { entries: { x: {} } })).toThrow("entries.x isn't declared");
    expect(() => untyped(Game, { a: undefined })).toThrow("a must be a kind, and is undefined");
    expect(() => untyped(Game, { a: AnyKind })).toThrow("write [AnyKind]");
    expect(() => untyped(Game, { a: ConfigMap }, { fieldOwner: "" })).toThrow(
      "fieldOwner must have 1 to 121 characters",
    );
    expect(() => untyped(Game, { a: ConfigMap }, { entries: { a: { createOnly: ["metadata.labels"] } } })).toThrow(
      "createOnly must be a path such as spec.replicas",
    );
  });

  it.each([
    ["a missing entry", {}, "config is missing: set it to undefined or []"],
    ["an unknown entry", { config: undefined, list: [], x: {} }, "x isn't declared"],
    ["a status", { config: { status: {} }, list: [] }, "status must not be set"],
    ["generateName", { config: { metadata: { generateName: "a-" } }, list: [] }, "generateName must not be set"],
    ["an item without a name", { config: undefined, list: [{}] }, "an item of a list needs metadata.name"],
    ["an object instead of a list", { config: undefined, list: {} }, "list must be a list"],
    ["a list instead of an object", { config: [], list: [] }, "config must be an object"],
    ["null", { config: null, list: [] }, "config must be an object"],
    [
      "a second controller",
      {
        config: {
          metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }] },
        },
        list: [],
      },
      "ownerReferences must not contain a controller",
    ],
    ["duplicates", { config: {}, list: [{ metadata: { name: "chess" } }] }, "ConfigMap chess is wanted twice"],
  ])("rejects %s before the first request", async (_name, wanted, message) => {
    const { client, game } = await setUp();
    const children = childrenOf(Game, { config: ConfigMap, list: [ConfigMap] });
    await expect(children.reconcile(ctx, client, game, wanted as never)).rejects.toThrow(message);
    expect(client.requests).toEqual([]);
  });

  it("rejects an owner of another kind, and one that isn't stored", async () => {
    const { client, game } = await setUp();
    const { uid: _, ...metadata } = game.metadata;
    const wanted = { deployment: undefined, service: undefined };
    await expect(both.reconcile(ctx, client, { ...game, kind: "Pod" }, wanted)).rejects.toThrow(
      "must be a stored Game",
    );
    await expect(both.reconcile(ctx, client, { ...game, metadata } as never, wanted)).rejects.toThrow(
      "must be a stored",
    );
  });
});

describe("AnyKind", () => {
  it("applies and prunes objects of any kind", async () => {
    const { client, server, game } = await setUp();
    const anything = childrenOf(Game, { objects: [AnyKind] });
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { x: "1" } };
    const widget = { apiVersion: "x.example.com/v1", kind: "Widget", metadata: { name: "w" }, spec: { size: 1 } };
    const first = await anything.reconcile(ctx, client, game, { objects: [config, widget] });
    expect(lines(first.results)).toEqual(["objects a created", "objects w created"]);
    const second = await anything.reconcile(ctx, client, game, { objects: [widget] });
    expect(lines(second.results)).toEqual(["objects w unchanged", "objects a pruned"]);
    expect((await server.list(ConfigMap)).items).toEqual([]);
  });
});

describe("prune", () => {
  it("deletes a child that isn't wanted anymore, after reading it from the server", async () => {
    const { client, server, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    client.requests.length = 0;
    const { results } = await both.reconcile(ctx, client, game, {
      deployment: { spec: deploymentSpec() },
      service: undefined,
    });
    expect(lines(results)).toEqual(["deployment chess unchanged", "service chess pruned"]);
    expect(client.requests.filter((request) => request.endsWith("Service chess"))).toEqual([
      "get Service chess",
      "delete Service chess",
    ]);
    await expect(server.get(Service, key)).rejects.toThrow("not found");
  });

  it("keep neither applies nor prunes", async () => {
    const { client, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    writesOf(client);
    const { results, children } = await both.reconcile(ctx, client, game, { deployment: keep, service: keep });
    expect(lines(results)).toEqual(["deployment chess kept", "service chess kept"]);
    expect(children.deployment?.metadata.name).toBe("chess");
    expect(writesOf(client)).toEqual([]);
  });

  it("waits until each wanted child is applied", async () => {
    const { client, server, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    const bad = { spec: { ...deploymentSpec(), selector: { matchLabels: { x: "y" } } } };
    const { results } = await both.reconcile(ctx, client, game, { deployment: bad, service: undefined });
    expect(lines(results)).toEqual(["deployment chess failed"]);
    expect((await server.get(Service, key)).metadata.name).toBe("chess");
  });

  it("a copy of the labels and annotations of a child isn't deleted", async () => {
    const { client, server, game } = await setUp();
    const configs = childrenOf(Game, { config: ConfigMap });
    const { children } = await configs.reconcile(ctx, client, game, { config: { data: { a: "1" } } });
    const { annotations, ownerReferences } = children.config!.metadata;
    const metadata = { namespace: "default", name: "copy", annotations, ownerReferences };
    await server.create({ apiVersion: "v1", kind: "ConfigMap", metadata } as ConfigMap, { fieldOwner: "kubectl" });
    const { results } = await configs.reconcile(ctx, client, game, { config: undefined });
    expect(lines(results)).toEqual(["config chess pruned"]);
    expect((await server.get(ConfigMap, { namespace: "default", name: "copy" })).metadata.name).toBe("copy");
  });

  it("an object that the same reconciler applies beside the children isn't deleted", async () => {
    const { client, server, game } = await setUp();
    const { apiVersion, kind } = game;
    const ownerReferences = [{ apiVersion, kind, name: "chess", uid: game.metadata.uid, controller: true }];
    const own = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name: "own", ownerReferences },
    };
    await server.apply(own as never, { fieldOwner: "game-controller" });
    await childrenOf(Game, { config: ConfigMap }).reconcile(ctx, client, game, { config: undefined });
    expect((await server.get(ConfigMap, { namespace: "default", name: "own" })).metadata.name).toBe("own");
  });

  it("an object that was created again in the meantime isn't deleted", async () => {
    const configs = childrenOf(Game, { config: ConfigMap });
    const given = await setUp([], {
      delete: async (next, object, options) => {
        const old = await next.get(ConfigMap, key);
        await next.delete(old);
        await next.create({ apiVersion: "v1", kind: "ConfigMap", metadata: key } as ConfigMap);
        return next.delete(object, options);
      },
    });
    await configs.reconcile(ctx, given.client, given.game, { config: { data: { a: "1" } } });
    await configs.reconcile(ctx, given.client, given.game, { config: undefined });
    expect((await given.server.get(ConfigMap, key)).metadata.ownerReferences).toBeUndefined();
  });

  it("an object that has moved to another owner in the meantime isn't deleted", async () => {
    const configs = childrenOf(Game, { config: ConfigMap });
    let isStale = false;
    const given = await setUp([], {
      list: async (next, kind, options) => {
        const list = await next.list(kind, options as never);
        if (!isStale) return list;
        isStale = false;
        const moved = await next.get(ConfigMap, key);
        const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }];
        await next.update({ ...moved, metadata: { ...moved.metadata, ownerReferences } });
        return list;
      },
    });
    await configs.reconcile(ctx, given.client, given.game, { config: { data: { a: "1" } } });
    isStale = true;
    const { results } = await configs.reconcile(ctx, given.client, given.game, { config: undefined });
    expect(lines(results)).toEqual(["config chess kept"]);
    expect((await given.server.get(ConfigMap, key)).metadata.name).toBe("chess");
  });

  it("a rejected delete is tried again", async () => {
    let isRejected = true;
    const configs = childrenOf(Game, { config: ConfigMap });
    const given = await setUp([], {
      delete: (next, object, options) =>
        isRejected ? Promise.reject(ApiError.create(403, "Forbidden", "no")) : next.delete(object, options),
    });
    await configs.reconcile(ctx, given.client, given.game, { config: { data: {} } });
    const first = await configs.reconcile(ctx, given.client, given.game, { config: undefined });
    expect(first.results[0]).toMatchObject({ action: "failed", message: "no" });
    const copy: Game = { ...given.game };
    first.setStatus(copy);
    expect(copy.status?.conditions?.find(({ type }) => type === "Reconciling")?.reason).toBe("ChildPruneFailed");
    isRejected = false;
    const second = await configs.reconcile(ctx, given.client, given.game, { config: undefined });
    expect(lines(second.results)).toEqual(["config chess pruned"]);
  });

  it("prunes in reverse order, each entry after its dependents are gone", async () => {
    const { client, server, game } = await setUp();
    const chain = childrenOf(
      Game,
      { a: ConfigMap, b: ConfigMap },
      { entries: { b: { after: ["a"], ready: () => true }, a: { ready: () => true } } },
    );
    const finalizers = ["x.example.com/y"];
    const wanted = { a: { metadata: { name: "a" } }, b: { metadata: { name: "b", finalizers } } };
    await chain.reconcile(ctx, client, game, wanted);
    const none = { a: undefined, b: undefined };
    const run = async () => lines((await chain.reconcile(ctx, client, game, none)).results).sort();
    expect(await run()).toEqual(["a a waiting", "b b pruned"]);
    expect(await run()).toEqual(["a a waiting", "b b waiting"]);
    const b = await server.get(ConfigMap, { namespace: "default", name: "b" });
    await server.update({ ...b, metadata: { ...b.metadata, finalizers: [] } });
    expect(await run()).toEqual(["a a pruned"]);
  });

  it("a Namespace, a claim and an entry with prune: false stay", async () => {
    const { client, server, game } = await setUp();
    const data = childrenOf(
      Game,
      { claim: PersistentVolumeClaim, config: ConfigMap },
      { entries: { config: { prune: false } } },
    );
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    await data.reconcile(ctx, client, game, { claim: { spec }, config: { data: {} } });
    writesOf(client);
    const { results } = await data.reconcile(ctx, client, game, { claim: undefined, config: undefined });
    expect(lines(results)).toEqual(["claim chess kept", "config chess kept"]);
    expect(writesOf(client)).toEqual([]);
    expect((await server.get(PersistentVolumeClaim, key)).metadata.name).toBe("chess");
    const spaces = childrenOf(Game, { space: Namespace });
    await spaces.reconcile(ctx, client, game, { space: { metadata: { name: "ns" } } });
    expect(lines((await spaces.reconcile(ctx, client, game, { space: undefined })).results)).toEqual(["space ns kept"]);
  });

  it("former kinds and renamed entries are pruned", async () => {
    const { client, server, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    const next = childrenOf(Game, { app: Deployment }, { former: [Service] });
    const { results } = await next.reconcile(ctx, client, game, { app: undefined });
    expect(lines(results).sort()).toEqual(["deployment chess pruned", "service chess pruned"]);
    expect((await server.list(Service)).items).toEqual([]);
  });
});
