import { newWebhookManagedBy } from "@kubewright/runtime";
import { Secret } from "@kubewright/runtime/api/core/v1";
import {
  childOf,
  type Operator,
  operator,
  type Pair,
  remove,
  Shop,
  ShopV2,
  schemaOf,
  setStatus,
  sync,
  text,
  usualSpec,
  versionsOf,
} from "./lib.ts";

const secrets = "an upgrade changes no secret";
const stored = "stored objects stay valid";
const applied = "CRDs can be applied";

const withPassword = (name: string, isKept: boolean): Operator =>
  operator(
    async (owner, client) => {
      const old = await childOf(client, Secret, "a");
      if (old && (isKept || old.metadata.labels?.by === name)) return;
      const data = { password: Buffer.from(`${name}-${Math.random()}`).toString("base64") };
      await sync(client, owner, Secret, { metadata: { name: "a", labels: { by: name } }, data });
    },
    { owns: [Secret] },
  );

const idle = operator(async () => {});
const one = versionsOf({ v1: { schema: schemaOf(usualSpec, { phase: text }) } });

/** Converts the field `text` to `title` and back. */
function converting(isLossy: boolean): Operator {
  const renamed = (shop: Shop, from: string, to: string): Shop => {
    const { [from]: value, ...spec } = shop.spec as Record<string, unknown>;
    return { ...shop, spec: value === undefined || (isLossy && to === "text") ? spec : { ...spec, [to]: value } };
  };
  return async (mgr) => {
    const toHub = (spoke: Shop): Shop => renamed(spoke, "text", "title");
    const fromHub = (hub: Shop): Shop => renamed(hub, "title", "text");
    await newWebhookManagedBy(mgr, ShopV2)
      .withConverter({ hub: ShopV2, spokes: [{ kind: Shop, toHub, fromHub }] })
      .complete();
  };
}

/** Upgrades that lose or change data, or whose CRDs don't fit what is stored. */
export const data: readonly Pair[] = [
  {
    name: "a password is generated again",
    class: "password generated again, Secret deleted",
    rules: [secrets],
    simulation: (isDefective) => ({
      from: { operator: withPassword("v1", true) },
      operator: withPassword("v2", !isDefective),
    }),
  },
  {
    name: "a Secret moves to another name",
    class: "password generated again, Secret deleted",
    rules: [secrets],
    simulation: (isDefective) => ({
      from: { operator: withPassword("v1", true) },
      operator: isDefective
        ? operator(
            async (owner, client) => {
              const password = Buffer.from("new").toString("base64");
              await sync(client, owner, Secret, { metadata: { name: "a-admin" }, data: { password } });
              await remove(client, Secret, "a");
            },
            { owns: [Secret] },
          )
        : withPassword("v2", true),
    }),
  },
  {
    name: "a field of the status becomes required",
    class: "required status field, stricter validation",
    rules: [stored],
    simulation: (isDefective) => {
      const status = { phase: text, zone: text };
      const crds = [versionsOf({ v1: { schema: schemaOf(usualSpec, status, isDefective ? ["zone"] : []) } })];
      const old = operator((owner, client) => setStatus(owner, client, { phase: "Ready" }));
      const next = operator(async (owner, client) => {
        if (!owner.status) await setStatus(owner, client, { phase: "Ready", zone: "a" });
      });
      return { from: { operator: old, crds: [one] }, operator: next, crds };
    },
  },
  {
    name: "a pattern rejects stored values",
    class: "required status field, stricter validation",
    rules: [stored],
    simulation: (isDefective) => {
      const phase = { type: "string", pattern: isDefective ? "^[a-z]+$" : "^[A-Za-z]+$" };
      const reporting = (value: string, isKept: boolean): Operator =>
        operator(async (owner, client) => {
          if (owner.status?.phase === undefined || !isKept) await setStatus(owner, client, { phase: value });
        });
      return {
        from: { operator: reporting("READY", true), crds: [one] },
        operator: reporting("ready", true),
        crds: [versionsOf({ v1: { schema: schemaOf(usualSpec, { phase }) } })],
      };
    },
  },
  {
    name: "a schema no longer has a field",
    class: "conversion or a new schema loses fields",
    rules: [stored],
    simulation: (isDefective) => {
      const spec = isDefective ? { size: usualSpec.size } : { ...usualSpec, color: text };
      const crds = [versionsOf({ v1: { schema: schemaOf(spec, { phase: text }) } })];
      return { from: { operator: idle, crds: [one] }, operator: idle, crds };
    },
  },
  {
    name: "a conversion drops a field",
    class: "conversion or a new schema loses fields",
    rules: [stored],
    simulation: (isDefective) => ({
      from: { operator: idle, crds: [one] },
      operator: converting(isDefective),
      crds: [
        versionsOf(
          {
            v1: { schema: schemaOf(usualSpec, { phase: text }) },
            v2: { schema: schemaOf({ size: usualSpec.size, title: text }, { phase: text }) },
          },
          "v1",
        ),
      ],
    }),
  },
  {
    name: "the stored version is removed",
    class: "stored version removed, CRD can't be rolled back",
    rules: [applied],
    simulation: (isDefective) => {
      const schema = schemaOf(usualSpec);
      const both = versionsOf({ v1: { schema }, v2: { schema } });
      const crds = isDefective ? [versionsOf({ v2: { schema } })] : [both];
      const idleV2: Operator = async () => {};
      return {
        from: { operator: idleV2, crds: [versionsOf({ v1: { schema } }, "v1")] },
        operator: idleV2,
        crds,
        scenario: (world) => world.settled(),
        upgrade: { variations: ["replace"] },
      };
    },
  },
  {
    name: "a new stored version can't be rolled back",
    class: "stored version removed, CRD can't be rolled back",
    rules: [applied],
    simulation: (isDefective) => {
      const schema = schemaOf(usualSpec);
      return {
        from: { operator: idle, crds: [versionsOf({ v1: { schema } })] },
        operator: idle,
        crds: [versionsOf({ v1: { schema }, v2: { schema } }, isDefective ? "v2" : "v1")],
      };
    },
  },
  {
    name: "the CRD of the old version prunes a new field",
    class: "old CRD prunes new fields",
    rules: [
      "converges to the state of the run without faults",
      "writes a bounded number of times",
      "a reconcile of a settled world writes nothing",
    ],
    simulation: (isDefective) => {
      const next = operator(async (owner, client) => {
        const zone = owner.status as { zone?: string } | undefined;
        if (zone?.zone === "a") return;
        const { status } = await client.status.update({ ...owner, status: { phase: "Ready", zone: "a" } as never });
        // Without the field, each reconcile would write again.
        if (isDefective && (status as { zone?: string } | undefined)?.zone !== "a") {
          const annotations = {
            ...owner.metadata.annotations,
            attempt: String(Number(owner.metadata.annotations?.attempt ?? 0) + 1),
          };
          const present = await client.get(Shop, { namespace: "default", name: owner.metadata.name });
          await client.update({ ...present, metadata: { ...present.metadata, annotations } });
        }
      });
      return {
        from: { operator: operator((owner, client) => setStatus(owner, client, { phase: "Ready" })), crds: [one] },
        operator: next,
        crds: [versionsOf({ v1: { schema: schemaOf(usualSpec, { phase: text, zone: text }) } })],
        upgrade: { variations: ["replace", "crds-kept"] },
      };
    },
  },
  {
    name: "a condition is gone",
    class: "conversion or a new schema loses fields",
    rules: ["an upgrade loses no data"],
    simulation: (isDefective) => {
      const withConditions = (...types: string[]) =>
        operator((owner, client) =>
          setStatus(owner, client, { conditions: types.map((type) => ({ type, status: "True" })) }),
        );
      const next = isDefective ? withConditions("Stored") : withConditions("Stored", "Ready", "Checked");
      return {
        from: { operator: withConditions("Ready", "Stored") },
        operator: next,
        upgrade: { variations: ["replace", "overlap"] },
      };
    },
  },
];
