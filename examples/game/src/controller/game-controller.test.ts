import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Service } from "@kubewright/runtime/api/core/v1";
import { Ingress } from "@kubewright/runtime/api/networking/v1";
import { fakeClient, testContext, testLogger } from "@kubewright/runtime/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { Game, type GameSpec, NotReady, Running } from "#api/v1/index.ts";
import { GameReconciler } from "./game-controller.ts";

const ctx = testContext({ log: testLogger(beforeEach) });
const key = { namespace: "default", name: "sample" };

function game(spec: GameSpec): Game {
  return { apiVersion: Game.apiVersion, kind: Game.kind, metadata: { ...key }, spec };
}

/** Returns a fake client with one Game, and a function that reconciles it. */
function cluster(spec: GameSpec = { replicas: 2, image: "nginx", host: "a.io" }) {
  const client = fakeClient({ objects: [game(spec)], statusSubresource: [Game, Deployment] });
  const reconciler = new GameReconciler(client);
  return { client, reconcile: () => reconciler.reconcile(ctx, key) };
}

describe("GameReconciler", () => {
  it("creates a Deployment, a Service and an Ingress owned by the Game", async () => {
    const { client, reconcile } = cluster();
    await reconcile();
    for (const kind of [Deployment, Service, Ingress]) {
      const { metadata } = await client.get<Deployment | Service | Ingress>(kind, key);
      expect(metadata.ownerReferences).toMatchObject([{ kind: "Game", name: "sample", controller: true }]);
    }
    const deployment = await client.get(Deployment, key);
    expect(deployment.spec).toMatchObject({ replicas: 2, template: { spec: { containers: [{ image: "nginx" }] } } });
    const ingress = await client.get(Ingress, key);
    expect(ingress.spec?.rules?.[0]?.host).toBe("a.io");
  });

  it("reverts a changed Deployment to the spec of the Game", async () => {
    const { client, reconcile } = cluster();
    await reconcile();
    const deployment = await client.get(Deployment, key);
    if (deployment.spec) deployment.spec.replicas = 7;
    await client.update(deployment);
    await reconcile();
    expect((await client.get(Deployment, key)).spec?.replicas).toBe(2);
  });

  it("writes nothing when nothing has changed", async () => {
    const { client, reconcile } = cluster();
    await reconcile();
    const before = await Promise.all([client.get(Game, key), client.get(Deployment, key), client.get(Ingress, key)]);
    await reconcile();
    expect(await Promise.all([client.get(Game, key), client.get(Deployment, key), client.get(Ingress, key)])).toEqual(
      before,
    );
  });

  it("sets the phase to NotReady until all replicas are ready, then to Running", async () => {
    const { client, reconcile } = cluster();
    await reconcile();
    expect((await client.get(Game, key)).status).toEqual({
      phase: NotReady,
      replicas: 0,
      readyReplicas: 0,
      labelSelector: "qingwave.github.io/game=sample",
    });
    const deployment = await client.get(Deployment, key);
    await client.status.update({ ...deployment, status: { replicas: 2, readyReplicas: 2 } });
    await reconcile();
    expect((await client.get(Game, key)).status).toMatchObject({ phase: Running, replicas: 2, readyReplicas: 2 });
  });

  it("does nothing for a deleted Game", async () => {
    const reconciler = new GameReconciler(fakeClient());
    await expect(reconciler.reconcile(ctx, key)).resolves.toBeUndefined();
  });
});
