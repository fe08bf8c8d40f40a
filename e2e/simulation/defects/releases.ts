import {
  type ApplyConfiguration,
  addFinalizer,
  enqueueRequestsFromMapFunc,
  groupVersion,
  ignoreAlreadyExists,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  newControllerManagedBy,
  patchStatus,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment, StatefulSet } from "@kubewright/runtime/api/apps/v1";
import { type PersistentVolumeClaim, Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

interface Site extends KubernetesObject {
  spec: { size?: number; secret?: string; debug?: string };
  status?: { address?: string; secret?: string };
}

interface Address extends KubernetesObject {
  spec: { site: string };
}

const version = groupVersion("releases.test", "v1");
const Site: Kind<Site> = version.kind<Site>("Site");
const Address: Kind<Address> = version.kind<Address>("Address");
const crds = [
  definition("releases.test", "Site", "sites"),
  definition("releases.test", "Address", "addresses", "Namespaced"),
];
const namespace = "default";
const key = { namespace, name: "web" };
const finalizer = "releases.test/in-use";
const release = "releases.test/release";

function site(name: string, spec: Site["spec"] = {}): Site {
  return { apiVersion: "releases.test/v1", kind: "Site", metadata: { namespace, name }, spec };
}

/** A ring of database members, which join and leave it. */
function newRing() {
  const members = new Map<string, "normal" | "left">();
  return {
    members,
    join: async (name: string) => void members.set(name, "normal"),
    leave: async (name: string) => void members.set(name, "left"),
    state: async (name: string) => members.get(name),
  };
}

function statefulSet(owner: Stored<Site>): StatefulSet {
  const labels = { site: owner.metadata.name };
  const data: PersistentVolumeClaim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", labels },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const object: StatefulSet = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { namespace, name: owner.metadata.name },
    spec: {
      replicas: owner.spec.size ?? 0,
      serviceName: owner.metadata.name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "db", image: "db:1" }] } },
      volumeClaimTemplates: [data],
    },
  };
  setControllerReference(owner, object);
  return object;
}

/** Defects of operators that allocate something, and release it. */
export const releases: readonly Case[] = [
  {
    name: "address that two reconciles find free",
    why: "each list is correct, and the second status is written after the first list",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        for (const name of ["a", "b", "c"]) await world.client.create(site(name));
        await world.settled();
      },
      invariants: [
        always("no address is used twice", (world) => {
          const used = world.list(Site).flatMap(({ status }) => status?.address ?? []);
          return new Set(used).size === used.length;
        }),
      ],
      operator: async (mgr) => {
        const { client, apiReader } = mgr;
        const free = async (owner: Stored<Site>): Promise<string> => {
          if (isDefective) {
            const { items } = await client.list(Site, { namespace });
            const used = new Set(items.map(({ status }) => status?.address));
            return [1, 2, 3, 4].map((number) => `10.0.0.${number}`).find((one) => !used.has(one)) as string;
          }
          // The name of an object can't be used twice.
          const { items } = await apiReader.list(Address, { namespace });
          const own = items.find(({ spec }) => spec.site === owner.metadata.uid);
          if (own) return own.metadata.name;
          // Somebody can delete the Address of a site that still uses it.
          const sites = (await apiReader.list(Site, { namespace })).items;
          const others = sites.filter(({ metadata }) => metadata.uid !== owner.metadata.uid);
          const used = [
            ...items.map((address) => address.metadata.name),
            ...others.map(({ status }) => status?.address),
          ];
          const name = [1, 2, 3, 4, 5, 6]
            .map((number) => `10.0.0.${number}`)
            .find((one) => !used.includes(one)) as string;
          const metadata = { namespace, name };
          const address: Address = {
            apiVersion: "releases.test/v1",
            kind: "Address",
            metadata,
            spec: { site: owner.metadata.uid },
          };
          setControllerReference(owner, address);
          await client.create(address);
          return name;
        };
        await newControllerManagedBy(mgr)
          .for(Site)
          .owns(Address)
          .withOptions({ maxConcurrentReconciles: 2 })
          .complete({
            async reconcile(_ctx, request) {
              const stored = await ignoreNotFound(client.get(Site, request));
              if (!stored || (isDefective && stored.status?.address)) return;
              const address = await free(stored);
              await patchStatus(client, stored, (copy) => {
                copy.status = { address };
              });
            },
          });
      },
    }),
  },
  {
    name: "member that stays decommissioned",
    why: "the user takes the smaller size back after the member has left, and before it is removed",
    simulation: (isDefective) => ({
      crds,
      faults: ["stale", "crash", "errors", "lost", "conflict", "watch"],
      external: newRing,
      scenario: async (world) => {
        await world.client.create(site("web", { size: 3 }));
        await world.settled();
        await world.client.patch(Site, key, { spec: { size: 2 } });
        await world.advance(3000);
        await world.client.patch(Site, key, { spec: { size: 3 } });
        await world.settled();
      },
      invariants: [
        eventually("all wanted members are in the ring", (world) => {
          const size = world.object(Site, key)?.spec.size ?? 0;
          return Array.from({ length: size }).every((_, n) => world.external.members.get(`web-${n}`) === "normal");
        }),
      ],
      operator: async (mgr, world) => {
        const { client } = mgr;
        const ring = world.external as ReturnType<typeof newRing>;
        await newControllerManagedBy(mgr)
          .for(Site)
          .owns(StatefulSet)
          .complete({
            async reconcile(_ctx, request) {
              const stored = await ignoreNotFound(client.get(Site, request));
              if (!stored) return;
              const set = await ignoreNotFound(client.get(StatefulSet, request));
              if (!set) return void (await ignoreAlreadyExists(client.create(statefulSet(stored))));
              const size = stored.spec.size ?? 0;
              let replicas = set.spec?.replicas ?? 0;
              if (size < replicas) {
                const last = `web-${replicas - 1}`;
                if ((await ring.state(last)) !== "left") {
                  await ring.leave(last);
                  // The member moves its data.
                  return { requeueAfter: 5000 };
                }
                replicas--;
              } else replicas = size;
              if (set.spec?.replicas !== replicas) {
                await client.update({ ...set, spec: { ...set.spec, replicas } } as Stored<StatefulSet>);
                return;
              }
              for (let number = 0; number < replicas; number++) {
                const state = await ring.state(`web-${number}`);
                if (isDefective ? state === undefined : state !== "normal") await ring.join(`web-${number}`);
              }
            },
          });
      },
    }),
  },
  {
    name: "protection of the former Secret",
    why: "the status forgets the former Secret before its finalizer is removed",
    simulation: (isDefective) => ({
      crds,
      objects: ["old", "new"].map((name) => ({ apiVersion: "v1", kind: "Secret", metadata: { namespace, name } })),
      scenario: async (world) => {
        await world.client.create(site("web", { secret: "old" }));
        await world.settled();
        await world.client.patch(Site, key, { spec: { secret: "new" } });
        await world.settled();
        await world.client.delete(Site, key);
        await world.settled();
      },
      operator: async (mgr) => {
        const { client, apiReader } = mgr;
        const unprotect = async (name: string): Promise<void> => {
          const secret = await ignoreNotFound(apiReader.get(Secret, { namespace, name }));
          if (secret && removeFinalizer(secret, finalizer)) await ignoreNotFound(client.update(secret));
        };
        await newControllerManagedBy(mgr)
          .for(Site)
          .watches(
            Secret,
            enqueueRequestsFromMapFunc(async () => [key]),
          )
          .complete({
            async reconcile(_ctx, request) {
              const stored = await ignoreNotFound(client.get(Site, request));
              if (!stored) return;
              // After a restart, the cache can be of a time before a Secret was protected.
              const { items } = await apiReader.list(Secret, { namespace });
              const used = isDefective
                ? [stored.status?.secret ?? ""]
                : items.filter((one) => one.metadata.finalizers?.includes(finalizer)).map((one) => one.metadata.name);
              if (stored.metadata.deletionTimestamp) {
                for (const name of used) await unprotect(name);
                if (removeFinalizer(stored, release)) await ignoreNotFound(client.update(stored));
                return;
              }
              if (addFinalizer(stored, release)) return void (await client.update(stored));
              const { secret = "" } = stored.spec;
              const wanted = items.find(({ metadata }) => metadata.name === secret);
              if (!wanted || wanted.metadata.deletionTimestamp) return;
              if (addFinalizer(wanted, finalizer)) await client.update(wanted);
              await patchStatus(client, stored, (copy) => {
                copy.status = { secret };
              });
              for (const name of used) if (name !== secret) await unprotect(name);
            },
          });
      },
    }),
  },
  {
    name: "field owner of one process",
    why: "the next process can't remove the fields that its predecessor has applied",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(site("web", { debug: "yes" }));
        await world.settled();
        await world.client.patch(Site, key, { spec: { debug: null } });
        await world.settled();
      },
      operator: async (mgr) => {
        const fieldOwner = isDefective ? `site-${crypto.randomUUID()}` : "site-controller";
        await newControllerManagedBy(mgr)
          .for(Site)
          .owns(Deployment)
          .complete({
            async reconcile(_ctx, request) {
              const stored = await ignoreNotFound(mgr.client.get(Site, request));
              if (!stored) return;
              const { debug } = stored.spec;
              const labels = { site: request.name };
              const env = debug === undefined ? [] : [{ name: "DEBUG", value: debug }];
              const owned: KubernetesObject = { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...key } };
              setControllerReference(stored, owned);
              const wanted: ApplyConfiguration<Deployment> = {
                apiVersion: "apps/v1",
                kind: "Deployment",
                metadata: { ...key, ownerReferences: owned.metadata?.ownerReferences },
                spec: {
                  selector: { matchLabels: labels },
                  template: {
                    metadata: { labels },
                    spec: { containers: [{ name: "web", image: "web:1", env }] },
                  },
                },
              };
              await mgr.client.apply(wanted, { fieldOwner, force: true });
            },
          });
      },
    }),
  },
];
