import {
  createOrUpdate,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  newControllerManagedBy,
  type Stored,
  setControllerReference,
  setStatusCondition,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type SimulateOptions } from "@kubewright/runtime/simulation";
import { labeled } from "./correct-labels.ts";
import {
  addFinalizer,
  child,
  crd,
  finalizer,
  isOwnedBy,
  key,
  lifeOfShop,
  operator,
  removeFinalizer,
  Shop,
} from "./lib.ts";

const owns = [ConfigMap];
const namespace = "default";
const hasText = eventually("the ConfigMap has the text", (world) => {
  const shop = world.object(Shop, key);
  return !shop || world.object(ConfigMap, key)?.data?.text === shop.spec.text;
});

/** A payment provider that recognizes repeated requests. */
class Provider {
  readonly payments = new Map<string, number>();

  async pay(idempotencyKey: string, amount: number): Promise<void> {
    if (!this.payments.has(idempotencyKey)) this.payments.set(idempotencyKey, amount);
  }

  async cancel(idempotencyKey: string): Promise<void> {
    this.payments.delete(idempotencyKey);
  }
}

/** Correct operators in the styles that authors use, by name. None may cause a finding. */
export const correct: Readonly<Record<string, () => SimulateOptions>> = {
  ...labeled,
  "createOrUpdate, events and conditions": () => ({
    crds: [crd],
    scenario: lifeOfShop,
    invariants: [hasText],
    operator: async (mgr) => {
      const recorder = mgr.recorder("shop");
      await operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key } };
          const result = await createOrUpdate(client, object, (current) => {
            setControllerReference(owner, current);
            current.data = { ...current.data, text: owner.spec.text ?? "" };
          });
          if (result !== "unchanged") recorder.event(owner, "Normal", "Synced", `The ConfigMap was ${result}`);
          const next = structuredClone(owner) as Stored<Shop> & { status: { conditions: never[] } };
          next.status ??= { conditions: [] };
          next.status.conditions ??= [];
          const { generation = 0 } = owner.metadata;
          const condition = {
            type: "Ready",
            status: "True",
            reason: "Synced",
            observedGeneration: generation,
          } as const;
          if (setStatusCondition(next, condition)) await client.status.update(next);
        },
        { owns },
      )(mgr, undefined as never);
    },
  }),
  "server-side apply": () => ({
    crds: [crd],
    scenario: lifeOfShop,
    invariants: [hasText],
    operator: operator(
      () => async (owner, client) => {
        if (owner.metadata.deletionTimestamp) return;
        const { ownerReferences = [] } = child(owner).metadata ?? {};
        const wanted = {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { ...key, ownerReferences },
          data: { text: owner.spec.text ?? "" },
        } as const;
        await client.apply<ConfigMap>(wanted, { fieldOwner: "shop", force: true });
      },
      { owns },
    ),
  }),
  "generateName with adoption": () => ({
    crds: [crd],
    scenario: lifeOfShop,
    invariants: [
      eventually("one ConfigMap per Shop", (world) => {
        const owner = world.object(Shop, key);
        return !owner || world.list(ConfigMap).filter((one) => isOwnedBy(one, owner)).length === 1;
      }),
    ],
    operator: operator(
      () => async (owner, client, _ctx, mgr) => {
        if (owner.metadata.deletionTimestamp) return;
        const labels = { shop: owner.metadata.uid };
        const cached = await client.list(ConfigMap, { namespace, labels });
        // Before a create, a read from the server shows children that the cache doesn't have yet.
        const { items } = cached.items.length > 0 ? cached : await mgr.apiReader.list(ConfigMap, { namespace, labels });
        const [first, ...more] = [...items].sort((one, two) => (one.metadata.name < two.metadata.name ? -1 : 1));
        for (const object of more) await client.delete(object, { preconditions: { uid: object.metadata.uid } });
        if (first) {
          if (first.data?.text === owner.spec.text) return;
          return client.update({ ...first, data: { text: owner.spec.text ?? "" } });
        }
        const wanted = child(owner);
        const { ownerReferences = [] } = wanted.metadata ?? {};
        await client.create({ ...wanted, metadata: { namespace, generateName: "a-", labels, ownerReferences } });
      },
      { owns },
    ),
  }),
  "external system with idempotency keys": () => {
    const provider = new Provider();
    return {
      crds: [crd],
      external: provider as never,
      scenario: lifeOfShop,
      invariants: [
        always("at most one payment per Shop", (world) => {
          const uids = world.list(Shop).map(({ metadata }) => metadata.uid);
          return uids.every((uid) => [...provider.payments.keys()].filter((id) => id === uid).length <= 1);
        }),
        // Somebody may remove finalizers, but not the payments of a Shop that exists.
        eventually("a Shop is paid", (world) =>
          world.list(Shop).every(({ metadata }) => provider.payments.has(metadata.uid)),
        ),
      ],
      operator: operator(() => async (owner, client) => {
        const { uid, deletionTimestamp, finalizers = [] } = owner.metadata;
        if (deletionTimestamp) {
          if (!finalizers.includes(finalizer)) return;
          await provider.cancel(uid);
          return removeFinalizer(owner, client);
        }
        await addFinalizer(owner, client);
        await provider.pay(uid, owner.spec.size ?? 0);
      }),
    };
  },
  "periodic check without a write": () => ({
    crds: [crd],
    scenario: lifeOfShop,
    invariants: [hasText],
    operator: operator(() => async (owner, client) => {
      if (owner.metadata.deletionTimestamp) return;
      const configMap = await ignoreNotFound(client.get(ConfigMap, key));
      const wanted = child(owner);
      if (!configMap) await client.create(wanted);
      else if (!isOwnedBy(configMap, owner) || configMap.data?.text !== owner.spec.text) {
        const { ownerReferences = [] } = wanted.metadata ?? {};
        const metadata = { ...configMap.metadata, ownerReferences };
        await client.update({ ...configMap, metadata, data: { text: owner.spec.text ?? "" } });
      }
      return { requeueAfter: 30_000 };
    }),
  }),
  "watch of another kind": () => ({
    crds: [crd],
    scenario: lifeOfShop,
    invariants: [hasText],
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .watches(
          ConfigMap,
          enqueueRequestsFromMapFunc((_ctx, { metadata }) =>
            metadata?.name === key.name && metadata.namespace === namespace ? [key] : [],
          ),
        )
        .complete({
          async reconcile(_ctx, request) {
            const owner = await ignoreNotFound(mgr.client.get(Shop, request));
            const configMap = await ignoreNotFound(mgr.client.get(ConfigMap, key));
            if (!owner || owner.metadata.deletionTimestamp) return;
            const wanted = child(owner);
            if (!configMap) return void (await mgr.client.create(wanted));
            if (isOwnedBy(configMap, owner) && configMap.data?.text === owner.spec.text) return;
            const { ownerReferences = [] } = wanted.metadata ?? {};
            const metadata = { ...configMap.metadata, ownerReferences };
            await mgr.client.update({
              ...configMap,
              metadata,
              data: { ...configMap.data, text: owner.spec.text ?? "" },
            });
          },
        });
    },
  }),
};
