import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { Service } from "../api/core/v1.ts";
import { ctx, deploymentSpec, Game, key, labels, lines, setUp, writesOf } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";

const _service = { spec: { selector: labels, ports: [{ port: 80 }] } };

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

  it("a field that another client changes between the two requests gets its wanted value again", async () => {
    let isFirst = true;
    const { client, server, game } = await setUp([], {
      patch: async (next, object, patch, options) => {
        if (isFirst) {
          isFirst = false;
          const deployment = await server.get(Deployment, key);
          deployment.spec!.template.spec!.containers[0]!.image = "nginx:edited";
          await server.update(deployment, { fieldOwner: "kubectl" });
        }
        return next.patch(object, patch, options);
      },
    });
    const wanted = { deployment: { spec: deploymentSpec("nginx", 3) } };
    for (let reconcile = 0; reconcile < 2; reconcile++) await scaled.reconcile(ctx, client, game, wanted);
    const { spec } = await server.get(Deployment, key);
    expect(spec?.template.spec?.containers[0]?.image).toBe("nginx");
    expect(spec?.replicas).toBe(3);
    writesOf(client);
    await scaled.reconcile(ctx, client, game, wanted);
    expect(writesOf(client)).toEqual([]);
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
