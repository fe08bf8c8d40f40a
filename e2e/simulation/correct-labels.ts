import { addFinalizer, ignoreAlreadyExists, ignoreNotFound, removeFinalizer, type Stored } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import type { SimulateOptions, World } from "@kubewright/runtime/simulation";
import { child, crd, finalizer, isOwnedBy, key, lifeOfShop, operator, Shop, shop } from "./lib.ts";

const namespace = "default";
const owns = [ConfigMap];

function memberOf(owner: Stored<Shop>, metadata: ConfigMap["metadata"]): ConfigMap {
  const { metadata: inherited, ...rest } = child(owner);
  const { name: _, ...own } = inherited ?? {};
  return { ...rest, metadata: { ...own, labels: { shop: owner.metadata.name }, ...metadata } };
}

/** A shop is invalid for a while. */
async function invalidShop({ client, settled }: World): Promise<void> {
  await client.create(shop());
  await settled();
  await client.patch(Shop, key, { spec: { size: -1 } });
  await settled();
  await client.patch(Shop, key, { spec: { size: 2, text: "two" } });
  await settled();
  await client.delete(Shop, key);
}

/** Correct operators that find their children by labels, or that don't maintain them in each state. */
export const labeled: Readonly<Record<string, () => SimulateOptions>> = {
  "members with numbers, found by their label": () => ({
    crds: [crd],
    scenario: lifeOfShop,
    operator: operator(
      () => async (owner, client) => {
        if (owner.metadata.deletionTimestamp) return;
        const { size = 1, text = "" } = owner.spec;
        const labels = { shop: owner.metadata.name };
        const { items } = await client.list(ConfigMap, { namespace, labels });
        const names = Array.from({ length: size }, (_, index) => `a-${index}`);
        for (const name of names) {
          const item = items.find(({ metadata }) => metadata.name === name);
          if (!item) await ignoreAlreadyExists(client.create(memberOf(owner, { name })));
          else if (!isOwnedBy(item, owner)) throw new Error(`${name} belongs to a predecessor`);
          else if (item.data?.text !== text) await client.update({ ...item, data: { text } });
        }
      },
      { owns },
    ),
  }),
  "a member with a generated name, found by its label": () => ({
    crds: [crd],
    scenario: lifeOfShop,
    operator: operator(
      () => async (owner, client, _ctx, mgr) => {
        if (owner.metadata.deletionTimestamp) return;
        const labels = { shop: owner.metadata.name };
        const { items } = await mgr.apiReader.list(ConfigMap, { namespace, labels });
        const [first, ...more] = items.filter((one) => isOwnedBy(one, owner));
        if (!first) return client.create(memberOf(owner, { generateName: "a-" }));
        for (const object of more) await ignoreNotFound(client.delete(object));
        if (first.data?.text === owner.spec.text) return;
        await client.update({ ...first, data: { text: owner.spec.text ?? "" } });
      },
      { owns },
    ),
  }),
  "labels of a child that are applied": () => ({
    crds: [crd],
    scenario: lifeOfShop,
    operator: operator(
      () => async (owner, client) => {
        if (owner.metadata.deletionTimestamp) return;
        await client.apply(memberOf(owner, { name: "a" }), { fieldOwner: "shops", force: true });
      },
      { owns },
    ),
  }),
  "invalid objects that are only reported": () => ({
    crds: [crd],
    scenario: invalidShop,
    operator: operator(
      () => async (shop, client) => {
        if (shop.metadata.deletionTimestamp) {
          if (removeFinalizer(shop, finalizer)) await client.update(shop);
          return;
        }
        const { size = 1, text = "" } = shop.spec;
        const phase = size < 0 ? "Invalid" : "Ready";
        let owner = shop;
        if (phase === "Ready") {
          if (addFinalizer(shop, finalizer)) owner = await client.update(shop);
          const present = await ignoreNotFound(client.get(ConfigMap, key));
          if (!present) await client.create(child(owner));
          else if (!isOwnedBy(present, owner)) throw new Error("the child belongs to a predecessor");
          else if (present.data?.text !== text) await client.update({ ...present, data: { text } });
        }
        if (owner.status?.phase !== phase) await client.status.update({ ...owner, status: { phase } });
      },
      { owns },
    ),
  }),
};
