import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap, Secret, Service } from "../api/core/v1.ts";
import { ctx, deploymentSpec, Game, key, labels, lines, setUp, writesOf } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";
import { AnyKind } from "./types.ts";

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
