// The states of objects that Helm, Flux and kubectl compute.
import { describe, expect, it } from "vitest";
import { Deployment } from "../../api/apps/v1.ts";
import { ConfigMap } from "../../api/core/v1.ts";
import type { Client, Stored } from "../../client/client.ts";
import { createOrUpdate } from "../../controllerutil/create-or-update.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import { patchStatus } from "../../controllerutil/patch-status.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import { setReady, setReconciling, setStalled, setStatusFromChildren } from "../../kstatus/set-status.ts";
import type { SimulateOptions } from "../options/options.ts";
import { reconcileShops, Shop, schedules, shopCrd, shopScenario, syncDeployment } from "../shop.fixture.ts";
import { type SimulationError, simulate } from "../simulate.ts";

type Found = Stored<Shop>;

/** Simulates an operator that creates the Deployment of a shop, and then writes the status. */
async function simulated(
  writeStatus: (client: Client, found: Found, deployment: Stored<Deployment> | undefined) => Promise<unknown>,
  options: Partial<SimulateOptions> = {},
): Promise<{ invariant: string; message: string; seed: number }[]> {
  try {
    await simulate({
      crds: [shopCrd],
      scenario: shopScenario,
      seeds: schedules(200),
      operator: (mgr) =>
        reconcileShops(mgr, Deployment, async (found, request) => {
          await syncDeployment(mgr.client, found);
          await writeStatus(mgr.client, found, await ignoreNotFound(mgr.client.get(Deployment, request)));
        }),
      ...options,
    });
    return [];
  } catch (error) {
    return [(error as SimulationError).finding];
  }
}

const fromChildren = (client: Client, found: Found, deployment: Stored<Deployment> | undefined) =>
  patchStatus(client, found, (copy) => {
    setStatusFromChildren(copy, [deployment]);
  });
const tooEarly = (client: Client, found: Found) =>
  patchStatus(client, found, (copy) => {
    setReady(copy, { reason: "Done" });
  });
const never = (client: Client, found: Found) =>
  patchStatus(client, found, (copy) => {
    setReconciling(copy, { reason: "Working", message: "soon" });
  });

it("an operator that computes its status from the children has no finding", async () => {
  expect(await simulated(fromChildren)).toEqual([]);
});

describe("a settled object is current", () => {
  it("is broken by an object that stays InProgress, also without faults", async () => {
    expect(await simulated(never)).toMatchObject([
      { invariant: "a settled object is current", message: "Shop default/a is InProgress: soon", seed: 0 },
    ]);
  });

  it("is broken by a generation that is never observed", async () => {
    const once = (client: Client, found: Found) =>
      found.status?.observedGeneration ? Promise.resolve() : tooEarly(client, found);
    const findings = await simulated(once);
    expect(findings).toMatchObject([
      { invariant: "a settled object is current", message: expect.stringContaining("latest observed generation is 1") },
    ]);
  });

  it("isn't broken by a Failed object", async () => {
    const stalled = (client: Client, found: Found) =>
      patchStatus(client, found, (copy) => {
        setStalled(copy, { reason: "BadHost" });
      });
    expect(await simulated(stalled)).toEqual([]);
  });

  it("isn't broken while a reconcile fails", async () => {
    const failing = async (client: Client, found: Found) => {
      await never(client, found);
      throw new Error("the provider is down");
    };
    expect(await simulated(failing)).toEqual([]);
  });
});

describe("an object isn't current before its children", () => {
  it("is broken by an operator that doesn't wait for the Deployment", async () => {
    expect(await simulated(tooEarly)).toMatchObject([
      {
        invariant: "an object isn't current before its children",
        message: expect.stringMatching(
          /^Shop default\/a becomes Current, but its Deployment default\/a is InProgress: /,
        ),
      },
    ]);
  });

  it("isn't broken if the child was current in the version that the operator read last", async () => {
    expect(await simulated(fromChildren, { faults: ["stale", "children", "hands"] })).toEqual([]);
  });

  it("isn't broken by children that are always ready", async () => {
    const findings = await simulated(tooEarly, {
      operator: (mgr) =>
        reconcileShops(mgr, ConfigMap, async (found, request) => {
          const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...request } };
          await createOrUpdate(mgr.client, object, (config) => setControllerReference(found as never, config));
          await tooEarly(mgr.client, found);
        }),
    });
    expect(findings).toEqual([]);
  });
});

describe("the option kstatus", () => {
  it("disables both checks with false", async () => {
    expect(await simulated(never, { kstatus: false })).toEqual([]);
    expect(await simulated(tooEarly, { kstatus: false })).toEqual([]);
  });

  it("restricts them to kinds", async () => {
    expect(await simulated(never, { kstatus: [] })).toEqual([]);
    expect(await simulated(never, { kstatus: [Shop] })).toHaveLength(1);
  });

  it("rejects kinds without a definition", async () => {
    const options = { crds: [shopCrd], scenario: shopScenario, operator: () => {}, kstatus: [ConfigMap] };
    await expect(simulate(options)).rejects.toThrow("kstatus: ConfigMap isn't a kind of the definitions");
  });
});
