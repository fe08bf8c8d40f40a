import { ignoreNotFound, type KubernetesObject } from "@kubewright/runtime";
import { ConfigMap, PersistentVolumeClaim, Pod, Service } from "@kubewright/runtime/api/core/v1";
import { childOf, key, operator, type Pair, remove, Shop, sync } from "./lib.ts";

const left = "an upgrade leaves nothing behind";
const replaced = "an upgrade replaces nothing";

const withConfig = (...names: string[]) =>
  operator(
    async (owner, client) => {
      for (const name of names) {
        await sync(client, owner, ConfigMap, { metadata: { name }, data: { text: owner.spec.text ?? "" } });
      }
    },
    { owns: [ConfigMap] },
  );

/** Upgrades after which children are missing, remain or exist twice. */
export const children: readonly Pair[] = [
  {
    name: "a child has another name",
    class: "renamed child: both run, such as two load balancers",
    rules: [left],
    simulation: (isDefective) => ({
      from: { operator: withConfig("a") },
      operator: isDefective
        ? withConfig("a-settings")
        : operator(
            async (owner, client) => {
              await sync(client, owner, ConfigMap, {
                metadata: { name: "a-settings" },
                data: { text: owner.spec.text ?? "" },
              });
              await remove(client, ConfigMap, "a");
            },
            { owns: [ConfigMap] },
          ),
      upgrade: { variations: ["replace"] },
    }),
  },
  {
    name: "the new version doesn't have a child",
    class: "child that the new version doesn't have",
    rules: [left],
    simulation: (isDefective) => ({
      from: { operator: withConfig("a", "a-cache") },
      operator: operator(
        async (owner, client) => {
          await sync(client, owner, ConfigMap, { metadata: { name: "a" }, data: { text: owner.spec.text ?? "" } });
          if (!isDefective) await remove(client, ConfigMap, "a-cache");
        },
        { owns: [ConfigMap] },
      ),
      upgrade: { variations: ["replace"] },
    }),
  },
  {
    name: "a Service is created again, with another address",
    class: "Service created again: address lost",
    rules: [replaced],
    simulation: (isDefective) => {
      const ports = (name: string) => [{ name, port: 80, protocol: "TCP", targetPort: 80 }];
      const service = (name: string) => ({
        metadata: { name: "a" },
        spec: { selector: { app: "a" }, ports: ports(name) },
      });
      const next = operator(
        async (owner, client) => {
          const stored = await childOf(client, Service, "a");
          if (isDefective && stored && stored.spec?.ports?.[0]?.name !== "http") await client.delete(stored);
          await sync(client, owner, Service, service("http"));
        },
        { owns: [Service] },
      );
      const old = operator((owner, client) => sync(client, owner, Service, service("web")), { owns: [Service] });
      return { from: { operator: old }, operator: next, upgrade: { variations: ["replace", "overlap"] } };
    },
  },
  {
    name: "a new claim takes the place of the one with the data",
    class: "new claim beside the one with the data",
    rules: [left, "an upgrade starts no rollout"],
    simulation: (isDefective) => {
      const storing = (wanted: string, isKept: boolean) =>
        operator(
          async (owner, client, mgr) => {
            // A stale cache without the Pod would hide the claim with the data.
            const pod = isKept
              ? await ignoreNotFound(mgr.apiReader.get(Pod, { namespace: "default", name: "a" }))
              : await childOf(client, Pod, "a");
            const own = pod?.spec?.volumes?.find(({ name }) => name === "data")?.persistentVolumeClaim?.claimName;
            const name = isKept ? (own ?? wanted) : wanted;
            await sync(client, owner, PersistentVolumeClaim, {
              metadata: { name },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            });
            // The claim of a Pod can't change.
            if (own !== undefined && own !== name) await remove(client, Pod, "a");
            const volumes = [{ name: "data", persistentVolumeClaim: { claimName: name } }];
            const spec = { volumes, containers: [{ name: "main", image: "nginx" }] };
            if (!pod || own !== name) await sync(client, owner, Pod, { metadata: { name: "a" }, spec });
          },
          { owns: [Pod, PersistentVolumeClaim] },
        );
      return {
        from: { operator: storing("data-a", true) },
        operator: storing("a-data", !isDefective),
        upgrade: {
          variations: ["replace"],
          allow: [{ kind: Pod, action: "replace" as const, reason: "moves to another claim" }],
        },
      };
    },
  },
  {
    name: "children without the new label count as missing",
    class: "existing children count as new",
    rules: [left, replaced],
    simulation: (isDefective) => {
      const old = withConfig("a-0");
      const next = operator(
        async (owner, client) => {
          const { items } = await client.list(ConfigMap, { namespace: "default" });
          const own = items.filter(({ metadata }) =>
            metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid),
          );
          const parts = isDefective ? own.filter(({ metadata }) => metadata.labels?.part === "0") : own;
          const name = parts[0]?.metadata.name ?? `a-part-${owner.metadata.generation === 0 ? 1 : 0}`;
          await sync(client, owner, ConfigMap, {
            metadata: { name, labels: { part: "0" } },
            data: { text: owner.spec.text ?? "" },
          });
        },
        { owns: [ConfigMap] },
      );
      return {
        from: { operator: old },
        operator: next,
        upgrade: { variations: ["replace"] },
        faults: ["crash", "conflict", "lost", "errors"],
      };
    },
  },
  {
    name: "another field manager doesn't remove fields",
    class: "other field manager: removed fields stay",
    rules: [left],
    simulation: (isDefective) => {
      const applying = (fieldOwner: string, data: Record<string, string>) =>
        operator(
          (owner, client) => {
            const { name, uid } = owner.metadata;
            const { apiVersion, kind } = Shop;
            const ownerReferences = [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
            const object = {
              ...{ apiVersion: ConfigMap.apiVersion, kind: ConfigMap.kind, data },
              metadata: { ...key, ownerReferences },
            } as KubernetesObject;
            return client.apply(object, { fieldOwner, force: true });
          },
          { owns: [ConfigMap] },
        );
      const next = applying(isDefective ? "shop-operator" : "shop", { text: "one" });
      return {
        from: { operator: applying("shop", { text: "one", mode: "slow" }) },
        operator: next,
        upgrade: { variations: ["replace"] },
      };
    },
  },
  {
    name: "children lose their owner",
    class: "owner reference with an unserved version, another UID, or a second controller",
    rules: ["leaves no orphans", "a reconcile of a settled world writes nothing"],
    simulation: (isDefective) => {
      const next = operator(
        async (owner, client) => {
          await sync(client, owner, ConfigMap, { metadata: { name: "a" }, data: { text: owner.spec.text ?? "" } });
          const stored = await childOf(client, ConfigMap, "a");
          if (!isDefective || !stored || stored.metadata.labels?.checked) return;
          const { ownerReferences: _, ...metadata } = stored.metadata;
          await client.update({ ...stored, metadata: { ...metadata, labels: { checked: "true" } } });
        },
        { owns: isDefective ? [] : [ConfigMap] },
      );
      return { from: { operator: withConfig("a") }, operator: next };
    },
  },
];
