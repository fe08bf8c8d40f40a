import { expect, it } from "vitest";
import { Deployment } from "../../api/apps/v1.ts";
import { Job } from "../../api/batch/v1.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import type { Manager } from "../../manager/manager.ts";
import { always } from "../checks/invariant.ts";
import type { SimulateOptions } from "../options/options.ts";
import { key, reconcileShops, Shop, schedules, shop, shopCrd, shopScenario, syncDeployment } from "../shop.fixture.ts";
import { type SimulationError, simulate } from "../simulate.ts";

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Returns an operator that waits in its reconcile until the Deployment is ready, or relies on the watch. */
function deploying(isBlocking: boolean): SimulateOptions {
  return {
    crds: [shopCrd],
    scenario: shopScenario,
    faults: ["children"],
    operator: async (mgr: Manager) => {
      await reconcileShops(mgr, Deployment, async (shop) => {
        await syncDeployment(mgr.client, shop);
        for (;;) {
          const deployment = await ignoreNotFound(mgr.client.get(Deployment, key));
          const ready = deployment?.status?.readyReplicas ?? 0;
          const isReady = ready >= (shop.spec.replicas ?? 1);
          if (isReady && shop.status?.ready !== ready) await mgr.client.status.update({ ...shop, status: { ready } });
          if (isReady || !isBlocking) return;
          await sleep(1000);
        }
      });
    },
  };
}

/** Returns an operator that runs a Job, and waits for its success, also if it fails. */
function running(isBlocking: boolean): SimulateOptions {
  return {
    crds: [shopCrd],
    faults: ["children"],
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
    },
    operator: async (mgr: Manager) => {
      await reconcileShops(mgr, Job, async (stored) => {
        const read = () => ignoreNotFound(mgr.client.get(Job, key));
        if (!(await read())) {
          const template = { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } };
          const job: Job = { apiVersion: "batch/v1", kind: "Job", metadata: { ...key }, spec: { template } };
          setControllerReference(stored, job);
          await mgr.client.create(job);
        }
        while (isBlocking && !(await read())?.status?.succeeded) await sleep(5000);
      });
    },
  };
}

it.each([
  ["a Deployment", deploying],
  ["a Job", running],
])("a reconcile that waits until %s is ready is a finding if it never becomes so", async (_name, create) => {
  const error = await simulate({ ...create(true), seeds: 200 }).catch((thrown: unknown) => thrown as SimulationError);
  const { invariant, message, faults } = (error as SimulationError).finding;
  expect(invariant).toBe("a reconcile ends in time");
  expect(message).toMatch(
    /^operator-1 reconciles shop default\/a for \d+ s.*; does it wait for a child that may never become ready/,
  );
  expect(faults).toEqual(["children"]);
});

it.each([
  ["a Deployment", deploying],
  ["a Job", running],
])("an operator that relies on the watch of %s has no finding if it never becomes ready", async (_name, create) => {
  const { findings, faults } = await simulate({ ...create(false), seeds: 30 });
  expect(findings).toEqual([]);
  expect(faults.children).toBeGreaterThan(5);
});

it("rules that hold always are checked although children never become ready", async () => {
  const seen = new Set<boolean>();
  const invariant = always("a Shop isn't ready before its Deployment", (world) => {
    const ready = world.object(Deployment, key)?.status?.readyReplicas;
    seen.add(ready === undefined);
    return world.object(Shop, key)?.status?.ready === undefined || ready !== undefined || seen.size > 0;
  });
  const { findings } = await simulate({ ...deploying(false), invariants: [invariant], seeds: schedules(20) });
  expect([findings, seen]).toEqual([[], new Set([true, false])]);
});
