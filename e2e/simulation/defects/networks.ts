import {
  createOrUpdate,
  getControllerOf,
  ignoreNotFound,
  type Manager,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { ConfigMap, Service } from "@kubewright/runtime/api/core/v1";
import { eventually, type World } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, isDeleted, key, lifeOf, manage, namespace, Store, store } from "../stores.ts";

const external = { namespace, name: "main-external" };
const applied = "stores.test/applied-labels";

function isOf(owner: Stored<Store>, object: Stored<Service>): boolean {
  return getControllerOf(object)?.uid === owner.metadata.uid;
}

async function syncService(mgr: Manager, owner: Stored<Store>, name: string, member: string): Promise<void> {
  const service: Service = { apiVersion: "v1", kind: "Service", metadata: { namespace, name } };
  await createOrUpdate(mgr.client, service, (object) => {
    setControllerReference(owner, object);
    object.spec = { ...object.spec, selector: { store: owner.metadata.name, member }, ports: [{ port: 5432 }] };
  });
}

/** Returns the labels of a user's object that its children get. */
function inherited(owner: Stored<Store>): Record<string, string> {
  return owner.metadata.labels ?? {};
}

function memberNames(owner: Stored<Store>): string[] {
  return Array.from({ length: owner.spec.members }, (_, index) => `${owner.metadata.name}-${index}`);
}

/** Defects of operators whose children depend on optional parts of the spec. */
export const networks: readonly Case[] = [
  {
    name: "Service of a part that is switched off",
    why: "the operator creates the Service if the store is exposed, and never removes it",
    simulation: (isDefective) => ({
      crds,
      scenario: lifeOf(store({ members: 1, exposed: true }), { spec: { exposed: false } }, { spec: { exposed: true } }),
      invariants: [
        eventually("only exposed stores have an external Service", (world) => {
          const stored = world.object(Store, key);
          return !stored || (world.object(Service, external) !== undefined) === stored.spec.exposed;
        }),
      ],
      operator: async (mgr) => {
        await manage(mgr, { owned: [Service] }, async (owner) => {
          if (isDeleted(owner)) return;
          await syncService(mgr, owner, owner.metadata.name, "0");
          if (owner.spec.exposed) return syncService(mgr, owner, external.name, "0");
          if (isDefective) return;
          const service = await ignoreNotFound(mgr.client.get(Service, external));
          if (!service || !isOf(owner, service) || isDeleted(service)) return;
          await ignoreNotFound(mgr.client.delete(service, { preconditions: { uid: service.metadata.uid } }));
        });
      },
    }),
  },
  {
    name: "label that stays on the child",
    why: "the operator merges the labels of the owner, and doesn't notice that one was removed",
    simulation: (isDefective) => ({
      crds,
      scenario: lifeOf(
        store({ members: 1 }, { labels: { team: "red", "cost-center": "7" } }),
        { metadata: { labels: { team: "blue" } } },
        { metadata: { labels: { "cost-center": null } } },
      ),
      invariants: [
        eventually("the child has the labels of the store", (world) => {
          const [owner, child] = [world.object(Store, key), world.object(ConfigMap, key)];
          if (!owner || !child) return true;
          return (
            child.metadata.labels?.team === owner.metadata.labels?.team &&
            child.metadata.labels?.["cost-center"] === owner.metadata.labels?.["cost-center"]
          );
        }),
      ],
      operator: async (mgr) => {
        await manage(mgr, { owned: [ConfigMap] }, async (owner) => {
          if (isDeleted(owner)) return;
          const child: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key } };
          await createOrUpdate(mgr.client, child, (object) => {
            setControllerReference(owner, object);
            const wanted = inherited(owner);
            const { labels = {}, annotations = {} } = object.metadata ?? {};
            const before = isDefective ? [] : (annotations[applied] ?? "").split(",");
            const others = Object.entries(labels).filter(([name]) => !before.includes(name));
            object.metadata = {
              ...object.metadata,
              labels: { ...Object.fromEntries(others), ...wanted },
              annotations: { ...annotations, [applied]: Object.keys(wanted).sort().join(",") },
            };
          });
        });
      },
    }),
  },
  {
    name: "replicas of an autoscaler that are reset",
    why: "the operator writes the number of the spec, although another controller owns it",
    simulation: (isDefective) => ({
      crds,
      scenario: async ({ client, settled }) => {
        await client.create(store({ members: 1, autoscaled: true, image: "db:1" }));
        await settled();
        await client.patch(Deployment, key, { spec: { replicas: 4 } });
        await settled();
        await client.patch(Store, key, { spec: { image: "db:2" } });
        await settled();
      },
      invariants: [
        eventually("the autoscaler's replicas stay", (world) => {
          const replicas = world.object(Deployment, key)?.spec?.replicas;
          return replicas === undefined || replicas === 4 || world.object(Store, key)?.spec.image === "db:1";
        }),
      ],
      operator: async (mgr) => {
        await manage(mgr, { owned: [Deployment] }, async (owner) => {
          if (isDeleted(owner)) return;
          const { members, autoscaled, image = "db" } = owner.spec;
          const labels = { store: owner.metadata.name };
          const deployment: Deployment = {
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata: { ...key },
            spec: { selector: { matchLabels: labels }, template: { metadata: { labels } }, replicas: members },
          };
          await createOrUpdate(mgr.client, deployment, (object) => {
            setControllerReference(owner, object);
            if (!autoscaled || isDefective) object.spec.replicas = members;
            const containers = object.spec.template.spec?.containers ?? [{ name: "db" }];
            const [first = { name: "db" }, ...rest] = containers;
            object.spec.template.spec = { ...object.spec.template.spec, containers: [{ ...first, image }, ...rest] };
          });
        });
      },
    }),
  },
  {
    name: "primary that scaling down removes",
    why: "the status keeps the name of the primary, and the Service points to a member that is gone",
    simulation: (isDefective) => ({
      crds,
      scenario: lifeOf(store({ members: 3 }), { spec: { members: 2 } }, { spec: { members: 4 } }),
      invariants: [
        eventually("the Service points to a member", (world: World) => {
          const [owner, service] = [world.object(Store, key), world.object(Service, key)];
          return !owner || !service || memberNames(owner).includes(service.spec?.selector?.member ?? "");
        }),
      ],
      operator: async (mgr) => {
        await manage(mgr, { owned: [Service] }, async (owner) => {
          if (isDeleted(owner)) return;
          const names = memberNames(owner);
          const { primary } = owner.status ?? {};
          const isUsable = primary !== undefined && (isDefective || names.includes(primary));
          // The newest member is elected first.
          const elected = isUsable ? primary : (names[Math.min(2, names.length - 1)] as string);
          await syncService(mgr, owner, owner.metadata.name, elected);
          if (primary !== elected) await mgr.client.status.update({ ...owner, status: { primary: elected } });
        });
      },
    }),
  },
];
