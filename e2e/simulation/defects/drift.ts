import {
  type Client,
  createOrUpdate,
  ignoreNotFound,
  newControllerManagedBy,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { ConfigMap, Secret, Service } from "@kubewright/runtime/api/core/v1";
import { eventually } from "@kubewright/runtime/simulation";
import { type Case, child, isOwnedBy, key, lifeOfShop, operator, Shop, setStatus, shop, syncChild } from "../lib.ts";

type Condition = NonNullable<NonNullable<Shop["status"]>["conditions"]>[number] & { lastTransitionTime?: string };

function deploymentOf(owner: Stored<Shop>, labels: Record<string, string>): Deployment {
  const { text = "", size = 1 } = owner.spec;
  const object: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...key },
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "shop", image: `shop:${text}` }] } },
    },
  };
  setControllerReference(owner, object);
  return object;
}

function imageOf(deployment: Deployment): string | undefined {
  return deployment.spec?.template.spec?.containers[0]?.image;
}

/** Writes a status with one condition, whose time changes only if `keepsTime`. */
async function setReady(owner: Stored<Shop>, client: Client, keepsTime: boolean): Promise<void> {
  const [before] = (owner.status?.conditions ?? []) as Condition[];
  const lastTransitionTime =
    keepsTime && before?.status === "True" ? before.lastTransitionTime : new Date().toISOString();
  await setStatus(owner, client, { conditions: [{ type: "Ready", status: "True", lastTransitionTime } as Condition] });
}

/** Defects of operators that compare and write the fields of objects. */
export const drift: readonly Case[] = [
  {
    name: "selector that depends on the spec",
    why: "the selector of a Deployment is immutable, so each update after the change is rejected",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const wanted = deploymentOf(owner, { app: isDefective ? `a-${owner.spec.text}` : "a" });
          const deployment = await ignoreNotFound(client.get(Deployment, key));
          if (!deployment) return client.create(wanted);
          if (!isOwnedBy(deployment, owner)) throw new Error("the Deployment of a predecessor is being deleted");
          if (imageOf(deployment) === imageOf(wanted) && deployment.spec?.replicas === wanted.spec?.replicas) return;
          await client.update({ ...deployment, spec: wanted.spec });
        },
        { owns: [Deployment] },
      ),
    }),
  },
  {
    name: "comparison with fields that the server sets",
    why: "the stored object has defaults, so it always differs, and the operator replaces it again and again",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const wanted: Service = {
            apiVersion: "v1",
            kind: "Service",
            metadata: { ...key },
            spec: { selector: { app: "a" }, ports: [{ port: 80 + (owner.spec.size ?? 0) }] },
          };
          setControllerReference(owner, wanted);
          const service = await ignoreNotFound(client.get(Service, key));
          if (!service) return client.create(wanted);
          const isSame = isDefective
            ? JSON.stringify(service.spec) === JSON.stringify(wanted.spec)
            : isOwnedBy(service, owner) && service.spec?.ports?.[0]?.port === wanted.spec?.ports?.[0]?.port;
          if (isSame) return;
          await ignoreNotFound(client.delete(service, { preconditions: { uid: service.metadata.uid } }));
        },
        { owns: [Service] },
      ),
    }),
  },
  {
    name: "list of conditions that is replaced",
    why: "each of two controllers writes only its own condition, and removes that of the other one",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: async (mgr) => {
        for (const type of ["Stocked", "Open"]) {
          await newControllerManagedBy(mgr)
            .for(Shop)
            .named(type.toLowerCase())
            .complete({
              async reconcile(_ctx, request) {
                const owner = await ignoreNotFound(mgr.client.get(Shop, request));
                if (!owner || owner.metadata.deletionTimestamp) return;
                const conditions = owner.status?.conditions ?? [];
                const own = { type, status: (owner.spec.size ?? 0) > 2 ? "True" : "False" };
                if (conditions.some((condition) => condition.type === type && condition.status === own.status)) return;
                const others = isDefective ? [] : conditions.filter((condition) => condition.type !== type);
                const next = [...others, own].sort((one, two) => (one.type < two.type ? -1 : 1));
                await mgr.client.status.update({ ...owner, status: { ...owner.status, conditions: next } });
              },
            });
        }
      },
    }),
  },
  {
    name: "time of a transition without a transition",
    why: "each reconcile writes another time, although the status of the condition is the same",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(() => async (owner, client) => {
        if (owner.metadata.deletionTimestamp) return;
        await setReady(owner, client, !isDefective);
      }),
    }),
  },
  {
    name: "observedGeneration before the work",
    why: "after a crash, the generation looks done, and the operator skips it",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          const { generation, deletionTimestamp } = owner.metadata;
          if (deletionTimestamp) return;
          if (!isDefective) await syncChild(owner, client);
          if (owner.status?.observedGeneration === generation) return;
          await client.status.update({ ...owner, status: { observedGeneration: generation ?? 0 } });
          if (isDefective) await syncChild(owner, client);
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "apply with the changed fields only",
    why: "a field that an apply configuration no longer contains is removed",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          const data: Record<string, string> = { text: owner.spec.text ?? "", size: String(owner.spec.size) };
          const isOwn = configMap !== undefined && isOwnedBy(configMap, owner);
          const changed = Object.entries(data).filter(([name, value]) => !isOwn || configMap.data?.[name] !== value);
          if (changed.length === 0) return;
          await client.apply<ConfigMap>(
            {
              apiVersion: "v1",
              kind: "ConfigMap",
              metadata: { ...key, ownerReferences: child(owner).metadata?.ownerReferences ?? [] },
              data: isDefective ? Object.fromEntries(changed) : data,
            },
            { fieldOwner: "shop", force: true },
          );
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "labels of users removed from a child",
    why: "an update with a new object removes the fields that the operator doesn't set",
    simulation: (isDefective) => {
      let isLabeled = false;
      return {
        faults: ["stale", "crash", "conflict", "lost", "errors", "watch", "time", "replicas", "hands"],
        scenario: async (world) => {
          isLabeled = false;
          await world.client.create(shop());
          await world.settled();
          await world.client.patch(ConfigMap, key, { metadata: { labels: { team: "blue" } } });
          isLabeled = true;
          await world.settled();
          await world.client.patch(Shop, key, { spec: { text: "two" } });
          await world.settled();
          await world.client.delete(Shop, key);
        },
        invariants: [
          eventually("the ConfigMap keeps the label of the user", (world) => {
            const configMap = world.object(ConfigMap, key);
            return !isLabeled || !configMap || configMap.metadata.labels?.team === "blue";
          }),
        ],
        operator: operator(
          () => async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            if (!isDefective) return syncChild(owner, client);
            const wanted = child(owner);
            const configMap = await ignoreNotFound(client.get(ConfigMap, key));
            if (!configMap) return client.create(wanted);
            if (configMap.data?.text === wanted.data?.text) return;
            const { resourceVersion } = configMap.metadata;
            return client.update({ ...wanted, metadata: { ...wanted.metadata, resourceVersion } } as Stored<ConfigMap>);
          },
          { owns: [ConfigMap] },
        ),
      };
    },
  },
  {
    name: "map that keeps old keys",
    why: "the operator adds the keys of the present spec, and the keys of the old spec remain",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      invariants: [
        eventually("the ConfigMap has the text only", (world) => {
          return Object.keys(world.object(ConfigMap, key)?.data ?? {}).length <= 1;
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const data = { [`text-${owner.spec.text}`]: "on" };
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          if (!configMap) return client.create({ ...child(owner), data });
          if (!isOwnedBy(configMap, owner)) throw new Error("the ConfigMap of a predecessor is being deleted");
          if (
            isDefective
              ? Object.keys(data).every((name) => name in (configMap.data ?? {}))
              : sameKeys(configMap.data, data)
          )
            return;
          await client.update({ ...configMap, data: isDefective ? { ...configMap.data, ...data } : data });
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "second attempt with the old object",
    why: "after a conflict, the operator reads the resource version only, and undoes the change of somebody else",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(() => async (owner, client, _ctx, mgr) => {
        const { deletionTimestamp, annotations } = owner.metadata;
        const checked = String(owner.spec.size);
        if (deletionTimestamp || annotations?.["simulation.test/checked"] === checked) return;
        const metadata = { ...owner.metadata, annotations: { ...annotations, "simulation.test/checked": checked } };
        try {
          await client.update({ ...owner, metadata });
        } catch (error) {
          if (!isDefective || (error as { reason?: string }).reason !== "Conflict") throw error;
          const { resourceVersion } = (await mgr.apiReader.get(Shop, key)).metadata;
          await client.update({ ...owner, metadata: { ...metadata, resourceVersion } });
        }
      }),
    }),
  },
  {
    name: "Secret whose text only the status compares",
    why: "the status has the text of the spec, whatever somebody has written into the Secret",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const { text = "" } = owner.spec;
          const current = await ignoreNotFound(client.get(Secret, key));
          if (isDefective && current && owner.status?.checked === text) return;
          const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata: { ...key } };
          await createOrUpdate(client, secret, (stored) => {
            setControllerReference(owner, stored);
            stored.data = { text: Buffer.from(text).toString("base64") };
          });
          await setStatus(owner, client, { checked: text });
        },
        { owns: [Secret] },
      ),
    }),
  },
];

function sameKeys(one: object = {}, other: object = {}): boolean {
  return Object.keys(one).sort().join() === Object.keys(other).sort().join();
}
