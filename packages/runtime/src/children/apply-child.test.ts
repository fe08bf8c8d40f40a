import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { Job } from "../api/batch/v1.ts";
import { ConfigMap } from "../api/core/v1.ts";
import type { Stored } from "../client/client.ts";
import { ApiError } from "../errors/api-error.ts";
import { isTerminal } from "../reconcile/terminal-error.ts";
import { ctx, deploymentSpec, Game, key, lines, setUp, writesOf } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";

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

  const job = (image: string) => ({
    spec: { template: { spec: { restartPolicy: "Never" as const, containers: [{ name: "a", image }] } } },
  });
  const jobs = childrenOf(Game, { job: Job }, { entries: { job: { onImmutable: "recreate", adopt: "ownerless" } } });

  it("recreate: an object that belongs to another owner by now isn't deleted", async () => {
    let cached: Stored<Job> | undefined;
    const { client, server, game } = await setUp([], {
      list: async (next, kind, options) => {
        const list = await next.list(kind, options as never);
        return cached && kind.kind === "Job" ? { ...list, items: [cached] as never } : list;
      },
    });
    cached = (await jobs.reconcile(ctx, client, game, { job: job("a") })).children.job;
    const moved = await server.get(Job, key);
    moved.metadata.ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }];
    await server.update(moved);
    const { results } = await jobs.reconcile(ctx, client, game, { job: job("b") });
    expect(results).toMatchObject([{ action: "blocked", message: "it is controlled by Pod p" }]);
    expect((await server.get(Job, key)).metadata.uid).toBe(moved.metadata.uid);
  });

  it("recreate: an object that would be adopted isn't deleted", async () => {
    const theirs = { apiVersion: "batch/v1", kind: "Job", metadata: { ...key }, ...job("theirs") } as Job;
    const { client, server, game } = await setUp([theirs]);
    const { uid } = (await server.get(Job, key)).metadata;
    const { results } = await jobs.reconcile(ctx, client, game, { job: job("b") });
    expect(results).toMatchObject([{ action: "failed" }]);
    expect((await server.get(Job, key)).metadata.uid).toBe(uid);
  });

  it("recreate: an object that changes between the read and the delete is read again", async () => {
    let edits = 1;
    const { client, server, game } = await setUp([], {
      delete: async (next, object, options) => {
        const live = await server.get(Job, key);
        live.metadata.labels = { edit: String(edits) };
        if (edits-- > 0) await server.update(live);
        return next.delete(object, options as never);
      },
    });
    const before = (await jobs.reconcile(ctx, client, game, { job: job("a") })).children.job!.metadata.uid;
    const { results } = await jobs.reconcile(ctx, client, game, { job: job("b") });
    expect(lines(results)).toEqual(["job chess recreated"]);
    expect((await server.get(Job, key)).metadata.uid).not.toBe(before);
    expect(edits).toBe(-1);
  });
});
