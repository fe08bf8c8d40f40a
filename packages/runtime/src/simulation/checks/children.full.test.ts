// The rules for sets of children: each one finds a mistake that is seeded in the runtime or in an operator.
import { afterEach, describe, expect, it, vi } from "vitest";
import { Deployment } from "../../api/apps/v1.ts";
import { ConfigMap, Service } from "../../api/core/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import { newControllerManagedBy } from "../../builder/builder.ts";
import { childrenOf } from "../../children/children.ts";
import { entryNameOf } from "../../children/declaration.ts";
import type { Outcome } from "../../children/outcome.ts";
import type { Run } from "../../children/run.ts";
import type { ApplyOptions, Client, Stored } from "../../client/client.ts";
import { DelegatingClient } from "../../client/wrappers/delegate.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import type { Manager } from "../../manager/manager.ts";
import type { SimulateOptions } from "../options/options.ts";
import { key, Shop, schedules, shop, shopCrd } from "../shop.fixture.ts";
import { SimulationError, simulate } from "../simulate.ts";

type Mistake = "keeps" | "deletes all" | "deletes in any order" | "takes over" | "applies always" | "is ready always";
const seeded = vi.hoisted(() => ({ mistake: undefined as Mistake | undefined }));

vi.mock("../../children/prune.ts", async (load) => {
  const original = await load<typeof import("../../children/prune.ts")>();
  const pruneChildren = async (run: Run, candidates: readonly Stored<KubernetesObject>[]): Promise<Outcome[]> => {
    if (seeded.mistake === "keeps") return [];
    if (seeded.mistake !== "deletes all" && seeded.mistake !== "deletes in any order") {
      return original.pruneChildren(run, candidates);
    }
    const outcomes: Outcome[] = [];
    for (const object of [...candidates].reverse()) {
      if (seeded.mistake === "deletes in any order" && !entryNameOf(object)) continue;
      await run.client.delete(object).catch(() => undefined);
      const { namespace = "", name } = object.metadata;
      const child = entryNameOf(object);
      outcomes.push({ child, entry: undefined, kind: object.kind, namespace, name, action: "pruned", object });
    }
    return outcomes;
  };
  return { ...original, pruneChildren };
});
vi.mock("../../children/apply-child.ts", async (load) => {
  const original = await load<typeof import("../../children/apply-child.ts")>();
  const isSettled: typeof original.isSettled = (...values) =>
    seeded.mistake !== "applies always" && original.isSettled(...values);
  return { ...original, isSettled };
});
vi.mock("../../children/report.ts", async (load) => {
  const original = await load<typeof import("../../children/report.ts")>();
  const readinessOf: typeof original.readinessOf = (...values) =>
    seeded.mistake === "is ready always"
      ? { ready: true, settled: true, failed: false, message: "" }
      : original.readinessOf(...values);
  return { ...original, readinessOf };
});
vi.mock("../../children/owner-set.ts", async (load) => {
  const original = await load<typeof import("../../children/owner-set.ts")>();
  class OwnerSet extends original.OwnerSet {
    override relationTo(object: KubernetesObject): ReturnType<InstanceType<typeof original.OwnerSet>["relationTo"]> {
      return seeded.mistake === "takes over" ? { is: "own" } : super.relationTo(object);
    }
  }
  return { ...original, OwnerSet };
});
afterEach(() => {
  seeded.mistake = undefined;
});

/** Wants a ConfigMap and, for more than one replica, a Deployment and after it a Service. */
function operator(change: (client: Client) => Client = (client) => client): (mgr: Manager) => Promise<void> {
  return async (mgr) => {
    const children = childrenOf(
      Shop,
      { config: ConfigMap, deployment: Deployment, service: Service },
      { entries: { service: { after: ["deployment"] } } },
    );
    await newControllerManagedBy(mgr)
      .for(Shop)
      .manages(children)
      .complete({
        async reconcile(ctx, request) {
          const owner = await ignoreNotFound(mgr.client.get(Shop, request));
          if (!owner) return;
          const labels = { shop: owner.metadata.name };
          const { replicas = 1 } = owner.spec;
          const template = {
            metadata: { labels },
            spec: { containers: [{ name: "shop", image: `shop:${replicas}` }] },
          };
          const isBig = replicas > 1;
          const { throwIfFailed } = await children.reconcile(ctx, change(mgr.client), owner, {
            config: { data: { replicas: String(replicas) } },
            deployment: isBig ? { spec: { replicas, selector: { matchLabels: labels }, template } } : undefined,
            service: isBig ? { spec: { selector: labels, ports: [{ port: 80 }] } } : undefined,
          });
          throwIfFailed();
        },
      });
  };
}

const scenario: SimulateOptions["scenario"] = async (world) => {
  await world.client.create(shop("a", 2));
  await world.settled();
  await world.client.patch(Shop, key, { spec: { replicas: 3 } });
  await world.settled();
  await world.client.patch(Shop, key, { spec: { replicas: 1 } });
  await world.settled();
  await world.client.delete(Shop, key);
};

/** Returns the first finding, as `rule: message`. */
async function finding(options: Partial<SimulateOptions>, seeds = 60): Promise<string | undefined> {
  try {
    await simulate({ crds: [shopCrd], seeds, operator: operator(), scenario, ...options });
    return undefined;
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
    return error.message.split("\n")[0];
  }
}

/** Lets a user create a ConfigMap with the annotations of a child and its owner reference, which nothing has applied. */
const copyOfChild: SimulateOptions["scenario"] = async (world) => {
  await world.client.create(shop("a", 2));
  await world.settled();
  const child = world.object(ConfigMap, key);
  const { annotations, ownerReferences } = child?.metadata ?? {};
  const metadata = { namespace: "default", name: "copy", annotations, ownerReferences };
  await world.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata } as ConfigMap);
  await world.settled();
};

/** Lets a user add a label and a sidecar to the Deployment, before its image changes. */
const editedChild: SimulateOptions["scenario"] = async (world) => {
  await world.client.create(shop("a", 2));
  await world.settled();
  const deployment = await world.client.get(Deployment, key);
  deployment.metadata.labels = { team: "a" };
  deployment.spec?.template.spec?.containers.push({ name: "proxy", image: "envoy" });
  await world.client.update(deployment);
  await world.settled();
  await world.client.patch(Shop, key, { spec: { replicas: 3 } });
  await world.settled();
};

/** Sends updates in place of applies, which contain only the wanted fields. */
class UpdatingClient extends DelegatingClient {
  protected override async applyObject<T extends KubernetesObject>(
    object: T,
    options: ApplyOptions,
  ): Promise<Stored<T>> {
    const key = { namespace: "default", name: object.metadata?.name ?? "" };
    const current = object.kind === "Deployment" ? await ignoreNotFound(this.inner.get(Deployment, key)) : undefined;
    if (!current) return super.applyObject(object, options);
    const { resourceVersion, uid } = current.metadata;
    return this.inner.update({ ...object, metadata: { ...object.metadata, resourceVersion, uid } }, options);
  }
}

describe("the wanted children exist, and no others", () => {
  it("finds a child that isn't wanted anymore and stays", async () => {
    seeded.mistake = "keeps";
    expect(await finding({})).toMatch(
      /^the wanted children exist, and no others: (Deployment|Service) default\/a exists, although Shop a doesn't want it$/,
    );
  });
});

describe("a set changes only its own children", () => {
  it("finds the deletion of an object with the annotations of a child", async () => {
    seeded.mistake = "deletes all";
    expect(await finding({ scenario: copyOfChild })).toBe(
      "a set changes only its own children: Shop a deletes ConfigMap default/copy, which its set didn't apply",
    );
  });

  it("finds an object of a user that is taken over", async () => {
    seeded.mistake = "takes over";
    const first: SimulateOptions["scenario"] = async (world) => {
      const metadata = { ...key };
      await world.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata } as ConfigMap);
      await world.client.create(shop());
      await world.settled();
    };
    expect(await finding({ scenario: first })).toBe(
      "a set changes only its own children: Shop a takes over ConfigMap default/a, which has no controller",
    );
  });
});

describe("fields of others survive", () => {
  it("finds updates that remove the label and the container of somebody else", async () => {
    expect(
      await finding({ scenario: editedChild, operator: operator((client) => new UpdatingClient(client)) }),
    ).toMatch(
      /^fields of others survive: Deployment default\/a loses the value of .*(labels|containers).*, which somebody else has set$/,
    );
  });
});

describe("children follow their order", () => {
  it("finds a child that is created too early", async () => {
    seeded.mistake = "is ready always";
    expect(await finding({})).toBe(
      "children follow their order: Service default/a is created before Deployment a of deployment is ready",
    );
  });

  it("finds a child that is deleted before its dependents", async () => {
    seeded.mistake = "deletes in any order";
    expect(await finding({})).toBe(
      "children follow their order: Deployment default/a is deleted before Service default/a, which depends on it",
    );
  });
});

describe("a settled reconcile sends no request", () => {
  it("finds applies without a change", async () => {
    seeded.mistake = "applies always";
    // The check needs a settled world in which nothing was left to do.
    expect(await finding({})).toMatch(
      /^a settled reconcile sends no request: the children of Shop a are settled, and its reconcile sends apply /,
    );
  });
});

describe("correct operators", () => {
  it.each([
    ["that create, change and prune children", 300, { scenario }],
    ["whose children others copy", 100, { scenario: copyOfChild }],
    ["whose children others change", 100, { scenario: editedChild }],
  ])("%s cause no finding, with all faults", async (_, seeds, options) => {
    expect(await finding(options, schedules(seeds))).toBeUndefined();
  });
});
