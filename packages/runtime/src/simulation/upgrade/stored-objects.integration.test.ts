import { describe, expect, it } from "vitest";
import { groupVersion, type Kind } from "../../api/kind.ts";
import { newWebhookManagedBy } from "../../builder/webhook-builder.ts";
import type { SimulateOptions } from "../options/options.ts";
import { Shop, shop, shopCrd } from "../shop.fixture.ts";
import { found, operatorOf, upgradeOf } from "./operators.fixture.ts";

type Operator = SimulateOptions["operator"];

/** A definition with one version per schema. The last one is stored. */
function definition(versions: Record<string, object>): object {
  const { spec, ...rest } = shopCrd as { spec: object };
  const names = Object.keys(versions);
  const list = names.map((name, index) => ({
    ...{ name, served: true, storage: index === names.length - 1, subresources: { status: {} } },
    schema: { openAPIV3Schema: { type: "object", properties: versions[name] } },
  }));
  return { ...rest, spec: { ...spec, versions: list } };
}

const text = { type: "string" };
const specOf = (...fields: string[]): object => ({
  type: "object",
  properties: { replicas: { type: "integer" }, ...Object.fromEntries(fields.map((name) => [name, text])) },
});

describe("stored objects stay valid", () => {
  const scenario: SimulateOptions["scenario"] = async (world) => {
    await world.client.create({ ...shop(), spec: { replicas: 1, name: "chess" } });
    await world.settled();
  };
  const idle = operatorOf(async () => {});
  const old = (...crds: object[]): Partial<SimulateOptions> => ({
    scenario,
    from: { name: "v1", operator: idle, crds },
  });

  it("finds a required status field", async () => {
    const withReady = operatorOf(async (owner, client) => {
      if (!owner.status) await client.status.update({ ...owner, status: { bucket: "a" } });
    });
    const status = { type: "object", properties: { bucket: text, phase: text } };
    const crds = [definition({ v1: { spec: specOf("name"), status: { ...status, required: ["phase"] } } })];
    const from = { name: "v1", operator: withReady, crds: [definition({ v1: { spec: specOf("name"), status } })] };
    const finding = await found(upgradeOf(idle, idle, { scenario, crds, from }));
    expect(finding?.invariant).toBe("stored objects stay valid");
    expect(finding?.message).toContain("status.phase: Required value");
  });

  it("finds a pruned field", async () => {
    const crds = [definition({ v1: { spec: specOf() } })];
    const finding = await found(upgradeOf(idle, idle, { crds, ...old(definition({ v1: { spec: specOf("name") } })) }));
    expect(finding).toMatchObject({
      invariant: "stored objects stay valid",
      message: "Shop default/a has lost a field in v1: spec.name",
    });
  });

  it("finds a version that doesn't exist anymore", async () => {
    const crds = [definition({ v1: { spec: specOf("name") }, v2: { spec: specOf("name") } })];
    const from = old(definition({ v1: { spec: specOf("name") } }));
    expect(await found(upgradeOf(idle, idle, { crds, ...from }))).toBeUndefined();
  });

  it("finds a conversion that loses a field, and accepts one that keeps it", async () => {
    const ShopV2: Kind<Shop> = groupVersion("simulation.test", "v2").kind<Shop>("Shop");
    const converting =
      (isLossy: boolean): Operator =>
      async (mgr) => {
        await idle(mgr, undefined as never);
        const converted = (from: Shop, key: "name" | "title", to: "name" | "title"): Shop => {
          const { [key]: value, ...spec } = from.spec as Record<string, unknown>;
          return { ...from, spec: value === undefined || (isLossy && to === "name") ? spec : { ...spec, [to]: value } };
        };
        await newWebhookManagedBy(mgr, ShopV2)
          .withConverter({
            hub: ShopV2,
            spokes: [
              {
                kind: Shop,
                toHub: (spoke: Shop) => converted(spoke, "name", "title"),
                fromHub: (hub: Shop) => converted(hub, "title", "name"),
              },
            ],
          })
          .complete();
      };
    const crds = [definition({ v1: { spec: specOf("name") }, v2: { spec: specOf("title") } })];
    const from = old(definition({ v1: { spec: specOf("name") } }));
    const lossy = await found(upgradeOf(idle, converting(true), { crds, ...from }));
    expect(lossy?.message).toBe(
      'Shop default/a is changed by a conversion from v1 to v2 and back: spec.name: "chess" → none',
    );
    expect(await found(upgradeOf(idle, converting(false), { crds, ...from }))).toBeUndefined();
  });
});

it("CRDs can be applied", async () => {
  const idle: Operator = async () => {};
  const crds = [definition({ v2: { spec: specOf("name") } })];
  const from = { name: "v1", operator: idle, crds: [definition({ v1: { spec: specOf("name") } })] };
  const scenario: SimulateOptions["scenario"] = (world) => world.settled();
  const finding = await found(upgradeOf(idle, idle, { crds, from, scenario }));
  expect(finding?.invariant).toBe("CRDs can be applied");
  expect(finding?.message).toContain("status.storedVersions[0]");
});
