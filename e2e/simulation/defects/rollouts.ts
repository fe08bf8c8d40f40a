import { createHash } from "node:crypto";
import {
  asReconciler,
  createOrUpdate,
  enqueueRequestsFromMapFunc,
  groupVersion,
  hasOwnerReference,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  type Manager,
  mergeFrom,
  newControllerManagedBy,
  patchStatus,
  type Stored,
  setControllerReference,
  setStatusCondition,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { ConfigMap, Event, Service } from "@kubewright/runtime/api/core/v1";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { PodDisruptionBudget } from "@kubewright/runtime/api/policy/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

interface Site extends KubernetesObject {
  spec: { image: string; replicas: number; settings?: Record<string, string> };
  status?: {
    phase?: string;
    hash?: string;
    image?: string;
    conditions?: Condition[];
  };
}

const Site: Kind<Site> = groupVersion("rollouts.test", "v1").kind<Site>("Site");
const crds = [definition("rollouts.test", "Site", "sites")];
const namespace = "default";
const key = { namespace, name: "blog" };

function site(spec: Partial<Site["spec"]> = {}): Site {
  return {
    apiVersion: "rollouts.test/v1",
    kind: "Site",
    metadata: { ...key },
    spec: { image: "blog:1", replicas: 2, settings: { color: "red", size: "big" }, ...spec },
  };
}

async function life(world: World): Promise<void> {
  await world.client.create(site());
  await world.settled();
  await world.client.patch(Site, key, {
    spec: { replicas: 3, settings: { color: "blue", size: null, theme: "dark" } },
  });
  await world.settled();
  await world.client.patch(Site, key, { spec: { image: "blog:2", replicas: 1 } });
  await world.settled();
  await world.client.delete(Site, key);
  await world.settled();
}

function hashOf(settings: Record<string, string> = {}): string {
  const text = JSON.stringify(Object.entries(settings).sort(([one], [two]) => (one < two ? -1 : 1)));
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}

function deploymentOf(owner: Stored<Site>, annotations: Record<string, string> = {}): Deployment {
  const { image, replicas } = owner.spec;
  const labels = { site: owner.metadata.name };
  const object: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...key },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: { containers: [{ name: "web", image }] } },
    },
  };
  setControllerReference(owner, object);
  return object;
}

async function run(
  mgr: Manager,
  owned: readonly Kind[],
  reconcile: (site: Stored<Site>) => Promise<unknown>,
): Promise<void> {
  const builder = newControllerManagedBy(mgr).for(Site);
  for (const kind of owned) builder.owns(kind);
  await builder.complete(
    asReconciler(mgr.client, Site, {
      reconcile: async (_ctx, site) => {
        if (site.metadata.deletionTimestamp) return {};
        return ((await reconcile(site)) ?? {}) as object;
      },
    }),
  );
}

/** Whether the object is the child of the owner. Throws if it belongs to a predecessor. */
function isMine(owner: Stored<Site>, object: KubernetesObject | undefined): boolean {
  if (!object) return false;
  if (!hasOwnerReference(owner, object)) throw new Error("the child of a predecessor still exists");
  return true;
}

/** Defects of operators that roll out Deployments with their settings. */
export const rollouts: readonly Case[] = [
  {
    name: "last applied settings in a second write",
    why: "a crash in between forgets which keys were applied, so a removed key stays",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: (mgr) =>
        run(mgr, [ConfigMap], async (site) => {
          const annotation = "rollouts.test/last-applied";
          const settings = site.spec.settings ?? {};
          const applied = JSON.stringify(Object.keys(settings).sort());
          const existing = await ignoreNotFound(mgr.client.get(ConfigMap, key));
          if (!isMine(site, existing)) {
            const wanted: ConfigMap = {
              apiVersion: "v1",
              kind: "ConfigMap",
              metadata: { ...key, annotations: { [annotation]: applied } },
              data: settings,
            };
            setControllerReference(site, wanted);
            return mgr.client.create(wanted);
          }
          const stored = existing as Stored<ConfigMap>;
          const last = JSON.parse(stored.metadata.annotations?.[annotation] ?? "[]") as string[];
          // Keys of others stay.
          const data = { ...stored.data };
          for (const name of last) if (!(name in settings)) delete data[name];
          Object.assign(data, settings);
          const annotations = { ...stored.metadata.annotations, [annotation]: applied };
          if (isDefective) {
            if (stored.metadata.annotations?.[annotation] !== applied) {
              const noted = await mgr.client.update({ ...stored, metadata: { ...stored.metadata, annotations } });
              await mgr.client.update({ ...noted, data });
            } else if (hashOf(data) !== hashOf(stored.data)) await mgr.client.update({ ...stored, data });
          } else {
            const copy = { ...stored, metadata: { ...stored.metadata, annotations }, data };
            if (
              JSON.stringify(copy) !== JSON.stringify(stored) &&
              (hashOf(data) !== hashOf(stored.data) || stored.metadata.annotations?.[annotation] !== applied)
            ) {
              await mgr.client.update(copy);
            }
          }
        }),
    }),
  },
  {
    name: "ready before the Pods are",
    why: "the site is reported as available as soon as its Deployment exists",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      invariants: [
        always("an available site has a Pod", (world) => {
          const site = world.object(Site, key);
          const available = site?.status?.conditions?.find(({ type }) => type === "Available");
          if (available?.status !== "True") return true;
          return (world.object(Deployment, key)?.status?.availableReplicas ?? 0) > 0;
        }),
      ],
      operator: (mgr) =>
        run(mgr, [Deployment, Service], async (site) => {
          const deployment = await mgr.client.apply(deploymentOf(site), { fieldOwner: "sites", force: true });
          const service: Service = {
            apiVersion: "v1",
            kind: "Service",
            metadata: { ...key },
            spec: { selector: { site: key.name }, ports: [{ port: 80 }] },
          };
          setControllerReference(site, service);
          await mgr.client.apply(service, { fieldOwner: "sites", force: true });
          const isAvailable = isDefective || (deployment.status?.availableReplicas ?? 0) > 0;
          await patchStatus(mgr.client, site, (copy) => {
            setStatusCondition(copy, {
              type: "Available",
              status: isAvailable ? "True" : "False",
              reason: isAvailable ? "Running" : "Starting",
              message: "",
              observedGeneration: site.metadata.generation ?? 0,
            });
          });
        }),
    }),
  },
  {
    name: "disruption budget of the first size",
    why: "the budget keeps the number of its creation, so a smaller site can never be drained",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      invariants: [
        eventually("the budget allows to drain the node", (world) => {
          const budget = world.object(PodDisruptionBudget, key);
          const site = world.object(Site, key);
          return !site || !budget || Number(budget.spec?.minAvailable) < Math.max(site.spec.replicas, 1);
        }),
      ],
      operator: (mgr) =>
        run(mgr, [Deployment, PodDisruptionBudget, Service, ConfigMap], async (site) => {
          const settings: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key } };
          await createOrUpdate(mgr.client, settings, (object) => {
            setControllerReference(site, object);
            object.data = { ...site.spec.settings };
          });
          const wanted = deploymentOf(site, { "rollouts.test/settings": hashOf(site.spec.settings) });
          const deployment: Deployment = {
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata: { ...key },
            spec: structuredClone(wanted.spec),
          };
          await createOrUpdate(mgr.client, deployment, (object) => {
            setControllerReference(site, object);
            const { template } = object.spec;
            object.spec.replicas = site.spec.replicas;
            template.metadata = { ...template.metadata, ...wanted.spec.template.metadata };
            const [container] = template.spec?.containers ?? [];
            if (container) container.image = site.spec.image;
          });
          const service: Service = { apiVersion: "v1", kind: "Service", metadata: { ...key } };
          await createOrUpdate(mgr.client, service, (object) => {
            setControllerReference(site, object);
            object.spec = { ...object.spec, selector: { site: key.name } };
            if (!object.spec.ports?.length) object.spec.ports = [{ port: 80 }];
          });
          const budget: PodDisruptionBudget = {
            apiVersion: "policy/v1",
            kind: "PodDisruptionBudget",
            metadata: { ...key },
          };
          await createOrUpdate(mgr.client, budget, (object) => {
            setControllerReference(site, object);
            if (isDefective && object.spec) return;
            object.spec = {
              ...object.spec,
              selector: { matchLabels: { site: key.name } },
              minAvailable: Math.max(site.spec.replicas - 1, 0),
            };
          });
        }),
    }),
  },
  {
    name: "hash that only the status has",
    why: "the status contains the new hash before the Deployment does, and a crash in between skips the restart",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: (mgr) =>
        run(mgr, [Deployment], async (site) => {
          const hash = hashOf(site.spec.settings);
          const wanted = deploymentOf(site, { "rollouts.test/settings": hash });
          const existing = await ignoreNotFound(mgr.client.get(Deployment, key));
          if (!isMine(site, existing)) {
            await mgr.client.create(wanted);
            await patchStatus(mgr.client, site, (copy) => {
              copy.status = { ...copy.status, hash };
            });
            return;
          }
          const stored = existing as Stored<Deployment>;
          const current = isDefective
            ? site.status?.hash
            : stored.spec?.template.metadata?.annotations?.["rollouts.test/settings"];
          const owner = await patchStatus(mgr.client, site, (copy) => {
            copy.status = { ...copy.status, hash };
          });
          const [container] = stored.spec?.template.spec?.containers ?? [];
          if (
            current === hash &&
            stored.spec?.replicas === owner.spec.replicas &&
            container?.image === owner.spec.image
          )
            return;
          const copy = structuredClone(stored);
          if (!copy.spec) return;
          copy.spec.replicas = owner.spec.replicas;
          const [next] = copy.spec.template.spec?.containers ?? [];
          if (next) next.image = owner.spec.image;
          if (current !== hash) {
            const { metadata } = copy.spec.template;
            copy.spec.template.metadata = { ...metadata, annotations: { "rollouts.test/settings": hash } };
          }
          await mgr.client.patch(copy, mergeFrom(stored));
        }),
    }),
  },
  {
    name: "event for each event",
    why: "the operator reconciles when its own Event is stored, and then writes the next one",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Site)
          .watches(
            Event,
            enqueueRequestsFromMapFunc((_ctx, { involvedObject }) => {
              return involvedObject?.kind === "Site" ? [{ namespace, name: involvedObject.name ?? "" }] : [];
            }),
          )
          .complete(
            asReconciler(mgr.client, Site, {
              reconcile: async (_ctx, site) => {
                if (site.metadata.deletionTimestamp) return;
                const { generation = 0, uid, resourceVersion } = site.metadata;
                const name = `${key.name}.${uid.slice(0, 8)}.${generation}`;
                if (!isDefective && (await ignoreNotFound(mgr.client.get(Event, { namespace, name })))) return;
                await mgr.client.create(Event, {
                  metadata: {
                    namespace,
                    ...(isDefective ? { generateName: `${key.name}.` } : { name }),
                  },
                  involvedObject: {
                    apiVersion: "rollouts.test/v1",
                    kind: "Site",
                    name: key.name,
                    namespace,
                    uid,
                    resourceVersion,
                  },
                  reason: "Reconciled",
                  type: "Normal",
                  message: "the site is up to date",
                });
              },
            }),
          );
      },
    }),
  },
  {
    name: "failed Job of the previous image",
    why: "the failure of the old Job stops the new one, although the user has corrected the image",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(site());
        await world.settled();
        await world.client.patch(Site, key, { spec: { image: "blog:2" } });
        await world.settled();
        await world.client.delete(Site, key);
      },
      operator: (mgr) =>
        run(mgr, [Job], async (stored) => {
          const { image } = stored.spec;
          const { status } = stored;
          if (status?.phase === "Complete" && status.image === image) return;
          if (status?.phase === "Failed" && (isDefective || status.image === image)) return;
          const name = `check-${stored.metadata.uid.slice(0, 6)}-${image.replace(":", "-")}`;
          const job = await ignoreNotFound(mgr.client.get(Job, { namespace, name }));
          if (!job) {
            const isBroken = image === "blog:1";
            const annotations: Record<string, string> = isBroken ? { "apiserver.kubewright.dev/fail": "crash" } : {};
            const wanted: Job = {
              apiVersion: "batch/v1",
              kind: "Job",
              metadata: { namespace, name },
              spec: {
                backoffLimit: 0,
                template: {
                  metadata: { annotations },
                  spec: { restartPolicy: "Never", containers: [{ name: "check", image }] },
                },
              },
            };
            setControllerReference(stored, wanted);
            return mgr.client.create(wanted);
          }
          const { succeeded = 0, failed = 0 } = job.status ?? {};
          if (succeeded === 0 && failed === 0) return;
          await patchStatus(mgr.client, stored, (copy) => {
            copy.status = { ...copy.status, phase: succeeded > 0 ? "Complete" : "Failed", image };
          });
        }),
      faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict", "replicas", "recreate"],
      invariants: [
        eventually("the corrected image is checked", (world) => {
          const stored = world.object(Site, key);
          return !stored || stored.spec.image === "blog:1" || stored.status?.image === stored.spec.image;
        }),
      ],
    }),
  },
];
