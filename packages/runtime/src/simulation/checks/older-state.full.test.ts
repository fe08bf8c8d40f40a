// Rules about a status that describes what the operator has read before a fault changed it.
import { expect, it } from "vitest";
import { Deployment } from "../../api/apps/v1.ts";
import type { Client } from "../../client/client.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import type { SimulateOptions } from "../options/options.ts";
import type { FaultName } from "../schedule/fault-names.ts";
import { key, reconcileShops, Shop, schedules, shopCrd, shopScenario, syncDeployment } from "../shop.fixture.ts";
import { simulate } from "../simulate.ts";
import { always } from "./invariant.ts";

type Sync = (client: Client, owner: Shop) => Promise<Deployment>;

/** Notes the ready replicas of a Deployment a while after it was read. */
function slowOperator(sync: Sync): SimulateOptions["operator"] {
  return async (mgr) => {
    const { client } = mgr;
    await reconcileShops(mgr, Deployment, async (shop, request) => {
      const { status } = await sync(client, shop);
      for (let requests = 0; requests < 5; requests++) await ignoreNotFound(mgr.apiReader.get(Shop, request));
      const ready = status?.readyReplicas ?? 0;
      if (shop.status?.ready !== ready) await client.status.update({ ...shop, status: { ready } });
    });
  };
}

/** Applies the Deployment, and never reads it. */
async function applyDeployment(client: Client, owner: Shop): Promise<Deployment> {
  const labels = { shop: "a" };
  const deployment: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...key },
    spec: {
      replicas: owner.spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "shop", image: "shop" }] } },
    },
  };
  setControllerReference(owner as never, deployment);
  return client.apply(deployment, { fieldOwner: "shops", force: true });
}

const ready = always("a ready shop has a ready Deployment", (world) => {
  const shop = world.object(Shop, key);
  if (!shop || shop.metadata.deletionTimestamp || !shop.status?.ready) return true;
  return (world.object(Deployment, key)?.status?.readyReplicas ?? 0) > 0;
});

async function findingsOf(faults: FaultName[], sync: Sync): Promise<unknown> {
  const operator = slowOperator(sync);
  const options = {
    crds: [shopCrd],
    scenario: shopScenario,
    operator,
    invariants: [ready],
    faults,
    seeds: schedules(150),
  };
  return (await simulate(options)).findings;
}

it("a status may describe what the cache had before a Pod failed", async () => {
  expect(await findingsOf(["children"], syncDeployment)).toEqual([]);
});

it("a status may describe the response of a write before a Pod failed", async () => {
  expect(await findingsOf(["children"], applyDeployment)).toEqual([]);
});

it("a status that claims more than the operator has read is a finding, also while Pods fail", async () => {
  const tooEarly: Sync = async (client, owner) => {
    const deployment = await syncDeployment(client, owner);
    return { ...deployment, status: { readyReplicas: 1 } };
  };
  await expect(findingsOf(["children"], tooEarly)).rejects.toThrow("a ready shop has a ready Deployment");
});
