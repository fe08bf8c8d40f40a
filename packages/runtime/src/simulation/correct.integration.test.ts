// Simulates operators and scenarios that must not cause a finding.
import { expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap, Secret } from "../api/core/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { newWebhookManagedBy } from "../builder/webhook-builder.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { ignoreAlreadyExists, ignoreNotFound } from "../errors/predicates.ts";
import { enqueueRequestsFromMapFunc } from "../handler/map-func.ts";
import type { Manager } from "../manager/manager.ts";
import { always } from "./checks/invariant.ts";
import type { SimulateOptions } from "./options/options.ts";
import {
  key,
  reconcileShops,
  Shop,
  schedules,
  shop,
  shopCrd,
  shopOperator,
  shopScenario,
  syncDeployment,
} from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

async function findingsOf(options: Omit<SimulateOptions, "crds">): Promise<unknown> {
  return (await simulate({ crds: [shopCrd], kstatus: false, ...options })).findings;
}

fullTest("an operator with webhooks runs without calls of its webhooks", async () => {
  let hasStatus = false;
  const findings = await findingsOf({
    seeds: 5,
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
      hasStatus ||= world.object(Shop, key)?.status?.ready === 1;
    },
    operator: async (mgr) => {
      newWebhookManagedBy(mgr, Shop)
        .withDefaulter({ default: async () => {} })
        .complete();
      await shopOperator(mgr);
    },
  });
  expect([findings, hasStatus]).toEqual([[], true]);
});

it("a finalizer that a user has set and that remains is accepted", async () => {
  const findings = await findingsOf({
    seeds: 5,
    scenario: async (world) => {
      const initial = shop();
      await world.client.create({ ...initial, metadata: { ...initial.metadata, finalizers: ["example.com/hold"] } });
      await world.settled();
      await world.client.delete(Shop, key);
      await world.settled();
      expect(world.object(Shop, key)?.metadata.deletionTimestamp).toBeDefined();
      await world.client.patch(Shop, key, { metadata: { finalizers: null } });
    },
    operator: shopOperator,
  });
  expect(findings).toEqual([]);
});

/** Creates a ConfigMap for each number of replicas that a shop has had, and lists the numbers in the status. */
async function historyOperator(mgr: Manager): Promise<void> {
  const { client } = mgr;
  await newControllerManagedBy(mgr)
    .for(Shop)
    .complete({
      async reconcile(_ctx, request) {
        const shop = await ignoreNotFound(client.get(Shop, request));
        if (!shop || shop.metadata.deletionTimestamp) return;
        const revisions = (shop.status?.bucket ?? "").split(",").filter(Boolean);
        const revision = String(shop.spec.replicas);
        if (revisions.includes(revision)) return;
        const name = `a-${shop.metadata.uid.slice(0, 8)}-${revision}`;
        const child: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } };
        setControllerReference(shop, child);
        await ignoreAlreadyExists(client.create(child));
        await client.status.update({ ...shop, status: { bucket: [...revisions, revision].join(",") } });
      },
    });
}

it("a recreated object doesn't need the history of its predecessor", async () => {
  const findings = await findingsOf({
    seeds: schedules(60),
    faults: ["recreate"],
    scenario: shopScenario,
    operator: historyOperator,
  });
  expect(findings).toEqual([]);
});

it("a recreated object with any other difference causes a finding", async () => {
  const error = await simulate({
    crds: [shopCrd],
    kstatus: false,
    seeds: schedules(60),
    faults: ["recreate"],
    scenario: shopScenario,
    operator: async (mgr) => {
      const seen = new Set<string>();
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({
          async reconcile(_ctx, request) {
            const shop = await ignoreNotFound(mgr.client.get(Shop, request));
            const id = `${request.name} ${shop?.spec.replicas}`;
            if (!shop || seen.has(id)) return;
            seen.add(id);
            await mgr.client.status.update({ ...shop, status: { ready: shop.spec.replicas ?? 0 } });
          },
        });
    },
  }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ finding: { invariant: "converges to the state of the run without faults" } });
});

/** Keeps the shop `a` until all other shops are deleted. */
async function waitingOperator(mgr: Manager): Promise<void> {
  const { client } = mgr;
  const finalizer = "simulation.test/in-use";
  await newControllerManagedBy(mgr)
    .for(Shop)
    .watches(
      Shop,
      enqueueRequestsFromMapFunc(() => [key]),
    )
    .complete({
      async reconcile(_ctx, { name }) {
        const shop = await ignoreNotFound(client.get(Shop, key));
        if (!shop || name !== key.name) return;
        const { finalizers = [], deletionTimestamp } = shop.metadata;
        const { items } = await mgr.apiReader.list(Shop);
        if (deletionTimestamp ? items.length > 1 || finalizers.length === 0 : finalizers.length > 0) return;
        await client.update({
          ...shop,
          metadata: { ...shop.metadata, finalizers: deletionTimestamp ? [] : [finalizer] },
        });
      },
    });
}

it("the recreate fault doesn't delete an object that waits for the deletion of another one", async () => {
  const findings = await findingsOf({
    seeds: schedules(40),
    faults: ["recreate"],
    scenario: async (world) => {
      await world.client.create(shop());
      await world.client.create(shop("b"));
      await world.settled();
      await world.client.delete(Shop, key);
      await world.client.delete(Shop, { namespace: "default", name: "b" });
    },
    operator: waitingOperator,
  });
  expect(findings).toEqual([]);
});

fullTest("a process runs once if the scenario restarts it while it is down", async () => {
  const findings = await findingsOf({
    replicas: 2,
    seeds: 5,
    faults: ["crash"],
    operator: shopOperator,
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
      await world.fault("crash", { for: 60_000 });
      await world.restart();
      await world.advance(120_000);
      await world.settled();
    },
  });
  expect(findings).toEqual([]);
});

fullTest("a rule that the hands fault itself breaks must hold again only when the world is settled", async () => {
  const findings = await findingsOf({
    seeds: schedules(60),
    faults: ["hands", "crash"],
    scenario: shopScenario,
    operator: shopOperator,
    invariants: [
      always("a ready shop has a Deployment", (world) => {
        const ready = world.object(Shop, key)?.status?.ready ?? 0;
        return ready === 0 || world.object(Deployment, key) !== undefined;
      }),
    ],
  });
  expect(findings).toEqual([]);
});

fullTest(
  "a rule that the cluster breaks because a Pod has failed must hold again only when the world is settled",
  async () => {
    const findings = await findingsOf({
      seeds: schedules(60),
      faults: ["children"],
      scenario: shopScenario,
      operator: shopOperator,
      invariants: [
        always("a shop that was ready has a ready Deployment", (world) => {
          const shop = world.object(Shop, key);
          const ready = world.object(Deployment, key)?.status?.readyReplicas ?? 0;
          return !shop || shop.metadata.deletionTimestamp !== undefined || (shop.status?.ready ?? 0) === 0 || ready > 0;
        }),
      ],
    });
    expect(findings).toEqual([]);
  },
);

fullTest(
  "a rule about two children must hold again only when the world is settled if their owner is recreated",
  async () => {
    const first = { namespace: "default", name: "first" };
    const second = { namespace: "default", name: "second" };
    const findings = await findingsOf({
      seeds: schedules(300),
      faults: ["recreate"],
      scenario: async (world) => void (await world.client.create(shop())),
      operator: async (mgr) => {
        const { client } = mgr;
        await newControllerManagedBy(mgr)
          .for(Shop)
          .owns(ConfigMap)
          .owns(Secret)
          .complete({
            async reconcile(_ctx, request) {
              const stored = await ignoreNotFound(client.get(Shop, request));
              if (!stored || stored.metadata.deletionTimestamp) return;
              const config: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: first };
              const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata: second };
              for (const child of [config, secret]) {
                await createOrUpdate(client, child as ConfigMap, (one) => setControllerReference(stored, one));
              }
            },
          });
      },
      invariants: [
        always(
          "the Secret has its ConfigMap",
          (world) => !world.object(Secret, second) || !world.object(Shop, key) || !!world.object(ConfigMap, first),
        ),
      ],
    });
    expect(findings).toEqual([]);
  },
);

fullTest("an operator need not restore a child if the events of its creation and deletion are lost", async () => {
  const findings = await findingsOf({
    seeds: schedules(400),
    faults: ["watch", "hands"],
    scenario: async (world) => {
      for (const name of ["a", "b", "c"]) await world.client.create(shop(name));
    },
    operator: async (mgr) => {
      const { client } = mgr;
      await reconcileShops(mgr, ConfigMap, async (stored, request) => {
        const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...request } };
        await createOrUpdate(client, object, (one) => setControllerReference(stored, one));
      });
    },
  });
  expect(findings).toEqual([]);
});

/** Maintains a child, but not that of a shop without replicas: it only reports such a shop. */
async function validatingOperator(mgr: Manager): Promise<void> {
  const { client } = mgr;
  await newControllerManagedBy(mgr)
    .for(Shop)
    .owns(Deployment)
    .complete({
      async reconcile(_ctx, request) {
        const shop = await ignoreNotFound(client.get(Shop, request));
        if (!shop || shop.metadata.deletionTimestamp) return;
        const isValid = (shop.spec.replicas ?? 1) > 0;
        if (isValid) await syncDeployment(client, shop);
        const bucket = isValid ? "valid" : "invalid";
        if (shop.status?.bucket !== bucket) await client.status.update({ ...shop, status: { bucket } });
      },
    });
}

it("an operator need not restore a child in a state in which it also doesn't after a restart", async () => {
  const findings = await findingsOf({
    seeds: schedules(60),
    faults: ["hands"],
    operator: validatingOperator,
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
      await world.client.patch(Shop, key, { spec: { replicas: 0 } });
      await world.settled();
    },
  });
  expect(findings).toEqual([]);
});

it("an operator that never restores a child causes a finding", async () => {
  const error = await simulate({
    crds: [shopCrd],
    kstatus: false,
    seeds: schedules(60),
    faults: ["hands"],
    scenario: shopScenario,
    operator: async (mgr) => {
      const { client } = mgr;
      await newControllerManagedBy(mgr)
        .for(Shop)
        .owns(Deployment)
        .complete({
          async reconcile(_ctx, request) {
            const shop = await ignoreNotFound(client.get(Shop, request));
            if (!shop || shop.metadata.deletionTimestamp) return;
            const done = String(shop.metadata.generation);
            if (shop.status?.bucket === done) return;
            await syncDeployment(client, shop);
            await client.status.update({ ...shop, status: { bucket: done } });
          },
        });
    },
  }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ finding: { invariant: "converges to the state of the run without faults" } });
});

it("many writes before a settled state aren't part of a storm after it", async () => {
  const findings = await findingsOf({
    seeds: 0,
    scenario: async (world) => {
      await world.client.create(shop("a", 250));
      await world.settled();
      await world.advance(120_000);
      await world.client.delete(Shop, key);
    },
    operator: async (mgr) => {
      const { client } = mgr;
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({
          async reconcile(_ctx, request) {
            const stored = await ignoreNotFound(client.get(Shop, request));
            if (!stored || stored.status?.ready || stored.metadata.deletionTimestamp) return;
            for (let number = 0; number < (stored.spec.replicas ?? 0); number++) {
              const metadata = { namespace: "default", name: `a-${number}` };
              const child: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata };
              setControllerReference(stored, child);
              await client.create(child);
            }
            await client.status.update({ ...stored, status: { ready: 1 } });
          },
        });
    },
  });
  expect(findings).toEqual([]);
});
