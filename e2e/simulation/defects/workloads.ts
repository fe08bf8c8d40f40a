import {
  asReconciler,
  groupVersion,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  type Manager,
  newControllerManagedBy,
  newWebhookManagedBy,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { PersistentVolumeClaim, Pod, Service } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

interface App extends KubernetesObject {
  spec: { image: string; replicas?: number; storage?: string };
  status?: { ready?: boolean; image?: string; finished?: number; runs?: string[] };
}

const App: Kind<App> = groupVersion("workloads.test", "v1").kind<App>("App");
const crds = [definition("workloads.test", "App", "apps")];
const key = { namespace: "default", name: "web" };
const app: App = {
  apiVersion: "workloads.test/v1",
  kind: "App",
  metadata: { ...key },
  spec: { image: "web:1", replicas: 2, storage: "1Gi" },
};

/** An app is created, gets another image and more storage, and is deleted. */
async function rollOut(world: World): Promise<void> {
  await world.client.create(structuredClone(app));
  await world.settled();
  await world.client.patch(App, key, { spec: { image: "web:2", storage: "2Gi", replicas: 3 } });
  await world.settled();
  await world.client.delete(App, key);
  await world.settled();
}

type Reconcile = (app: Stored<App>) => Promise<unknown>;

/** Runs a reconciler for Apps that aren't being deleted. */
async function run(mgr: Manager, kinds: readonly Kind[], reconcile: Reconcile): Promise<void> {
  const builder = newControllerManagedBy(mgr).for(App);
  for (const kind of kinds) builder.owns(kind);
  await builder.complete(
    asReconciler(mgr.client, App, {
      reconcile: async (_ctx, app) => {
        if (app.metadata.deletionTimestamp) return {};
        return ((await reconcile(app)) as object | undefined) ?? {};
      },
    }),
  );
}

function deploymentOf(owner: Stored<App>, name: string = owner.metadata.name): Deployment {
  const labels = { app: name };
  const object: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: key.namespace, name },
    spec: {
      replicas: owner.spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: owner.spec.image }] } },
    },
  };
  setControllerReference(owner, object);
  return object;
}

function imageOf(deployment: Deployment | undefined): string | undefined {
  return deployment?.spec?.template.spec?.containers[0]?.image;
}

function isOf(owner: Stored<App>, { metadata }: KubernetesObject): boolean {
  return metadata?.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;
}

/** Whether all Pods of the current template are ready. */
function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const wanted = spec?.replicas ?? 1;
  const { observedGeneration, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status ?? {};
  const isCurrent = observedGeneration === metadata?.generation;
  return isCurrent && updatedReplicas === wanted && availableReplicas === wanted && replicas === wanted;
}

function claimOf(owner: Stored<App>): PersistentVolumeClaim {
  const object: PersistentVolumeClaim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { ...key },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: owner.spec.storage ?? "1Gi" } } },
  };
  setControllerReference(owner, object);
  return object;
}

function jobOf(owner: Stored<App>, name: string): Job {
  const object: Job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { namespace: key.namespace, name, labels: { image: owner.spec.image.replace(":", "-") } },
    spec: {
      template: { spec: { restartPolicy: "Never", containers: [{ name: "migrate", image: owner.spec.image }] } },
    },
  };
  setControllerReference(owner, object);
  return object;
}

/** Creates the Deployment or sets its image and replicas. */
async function syncDeployment(owner: Stored<App>, mgr: Manager): Promise<Stored<Deployment> | undefined> {
  const wanted = deploymentOf(owner);
  const deployment = await ignoreNotFound(mgr.client.get(Deployment, key));
  if (!deployment) return mgr.client.create(wanted);
  if (!isOf(owner, deployment)) {
    await ignoreNotFound(mgr.client.delete(deployment, { preconditions: { uid: deployment.metadata.uid } }));
    return undefined;
  }
  if (imageOf(deployment) === owner.spec.image && deployment.spec?.replicas === owner.spec.replicas) return deployment;
  const { spec } = structuredClone(deployment);
  const [container] = spec?.template.spec?.containers ?? [];
  if (!spec || !container) throw new Error("a Deployment without containers");
  container.image = owner.spec.image;
  spec.replicas = owner.spec.replicas ?? 1;
  return mgr.client.update({ ...deployment, spec });
}

/** Defects of operators that run workloads: Deployments, Jobs, volumes, Services. */
export const workloads: readonly Case[] = [
  {
    name: "readiness of the previous rollout",
    why: "the status of the Deployment is about its older template",
    simulation: (isDefective) => ({
      crds,
      scenario: rollOut,
      invariants: [
        always("a ready App has all its Pods", (world) => {
          const app = world.object(App, key);
          const deployment = world.object(Deployment, key);
          if (!app?.status?.ready || app.status.image !== app.spec.image || !deployment) return true;
          return imageOf(deployment) !== app.spec.image || deployment.status?.observedGeneration !== undefined
            ? imageOf(deployment) !== app.spec.image ||
                (deployment.status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
            : false;
        }),
      ],
      faults: ["stale", "crash", "watch", "time", "errors", "conflict", "lost"],
      operator: (mgr) =>
        run(mgr, [Deployment], async (owner) => {
          const deployment = await syncDeployment(owner, mgr);
          if (!deployment) return;
          const isReady = isDefective
            ? (deployment.status?.readyReplicas ?? 0) >= Math.min(owner.spec.replicas ?? 1, 2)
            : isRolledOut(deployment);
          const status = { ready: isReady, image: owner.spec.image };
          if (JSON.stringify(owner.status) !== JSON.stringify(status))
            await mgr.client.status.update({ ...owner, status });
        }),
    }),
  },
  {
    name: "Service that is switched before the new version is ready",
    why: "clients reach Pods that don't run yet",
    simulation: (isDefective) => ({
      crds,
      faults: ["stale", "crash", "watch", "time", "errors", "conflict", "lost", "replicas"],
      scenario: rollOut,
      invariants: [
        always("the Service selects a version that has been ready", (world) => {
          const version = world.object(Service, key)?.spec?.selector?.app;
          if (version === undefined || !world.object(App, key)) return true;
          const pods = world.list(Pod).filter(({ metadata }) => metadata.labels?.app === version);
          return pods.some(({ status }) =>
            status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
          );
        }),
      ],
      operator: (mgr) =>
        run(mgr, [Deployment, Service], async (owner) => {
          const name = `web-${owner.spec.image.split(":")[1]}`;
          const place = { namespace: key.namespace, name };
          const deployment =
            (await ignoreNotFound(mgr.client.get(Deployment, place))) ??
            (await mgr.client.create(deploymentOf(owner, name)));
          if (!isDefective && (deployment.status?.readyReplicas ?? 0) === 0) return;
          const service = await ignoreNotFound(mgr.client.get(Service, key));
          const wanted: Service = {
            apiVersion: "v1",
            kind: "Service",
            metadata: { ...key },
            spec: { selector: { app: name }, ports: [{ port: 80 }] },
          };
          setControllerReference(owner, wanted);
          if (!service) return void (await mgr.client.create(wanted));
          if (service.spec?.selector?.app === name) return;
          await mgr.client.update({ ...service, spec: { ...service.spec, selector: { app: name } } });
        }),
    }),
  },
  {
    name: "Job named by a counter in the status",
    why: "the counter is written after the Job, so a crash runs the migration twice",
    simulation: (isDefective) => ({
      crds,
      scenario: rollOut,
      invariants: [
        always("one migration per image", (world) => {
          const jobs = world
            .list(Job)
            .map(({ metadata }) => `${metadata.labels?.image} ${metadata.ownerReferences?.[0]?.uid}`);
          return new Set(jobs).size === jobs.length;
        }),
      ],
      operator: (mgr) =>
        run(mgr, [Job], async (owner) => {
          const { runs = [] } = owner.status ?? {};
          if (runs.includes(owner.spec.image)) return;
          const version = owner.spec.image.replace(":", "-");
          const id = owner.metadata.uid.slice(0, 8);
          const name = isDefective ? `migrate-${id}-${Math.floor(Math.random() * 1e6)}` : `migrate-${id}-${version}`;
          try {
            await mgr.client.create(jobOf(owner, name));
          } catch (error) {
            if (isDefective || (error as { reason?: string }).reason !== "AlreadyExists") throw error;
          }
          await mgr.client.status.update({ ...owner, status: { runs: [...runs, owner.spec.image] } });
        }),
    }),
  },
  {
    name: "Job that is started for each old list",
    why: "the list of the cache lacks the Job that the last reconcile created",
    simulation: (isDefective) => ({
      crds,
      scenario: rollOut,
      invariants: [
        always("one Job at a time per App", (world) => {
          const active = world.list(Job).filter(({ status }) => !status?.completionTime);
          const owners = active.map(
            ({ metadata }) => `${metadata.labels?.image} ${metadata.ownerReferences?.[0]?.uid}`,
          );
          return new Set(owners).size === owners.length;
        }),
      ],
      operator: (mgr) =>
        run(mgr, [Job], async (owner) => {
          const labels = { image: owner.spec.image.replace(":", "-") };
          const list = async (live: boolean) => {
            const { items } = await (live ? mgr.apiReader : mgr.client).list(Job, { namespace: key.namespace, labels });
            return items.some((job) => isOf(owner, job));
          };
          if (await list(false)) return;
          if (!isDefective && (await list(true))) return;
          const { metadata, ...rest } = jobOf(owner, "");
          const { name: _, ...unnamed } = metadata ?? {};
          await mgr.client.create({ ...rest, metadata: { ...unnamed, generateName: "run-" } } as Job);
        }),
    }),
  },
  {
    name: "volume that never grows",
    why: "the operator creates the claim, and ignores a larger size",
    simulation: (isDefective) => ({
      crds,
      scenario: rollOut,
      invariants: [
        eventually("the claim has the size", (world) => {
          const app = world.object(App, key);
          const claim = world.object(PersistentVolumeClaim, key);
          return !app || claim?.spec?.resources?.requests?.storage === app.spec.storage;
        }),
      ],
      operator: (mgr) =>
        run(mgr, [PersistentVolumeClaim], async (owner) => {
          const stored = await ignoreNotFound(mgr.client.get(PersistentVolumeClaim, key));
          const storage = owner.spec.storage ?? "1Gi";
          if (!stored) return void (await mgr.client.create(claimOf(owner)));
          if (!isOf(owner, stored)) throw new Error("the claim of a predecessor is being deleted");
          if (isDefective || stored.spec?.resources?.requests?.storage === storage) return;
          await mgr.client.update({ ...stored, spec: { ...stored.spec, resources: { requests: { storage } } } });
        }),
    }),
  },
  {
    name: "default of a webhook that is assumed to be set",
    why: "objects from before the webhook, or from its outage, lack the default",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        const { storage: _, replicas: __, ...spec } = app.spec;
        await world.client.create({ ...structuredClone(app), spec });
        await world.settled();
        await world.client.delete(App, key);
      },
      invariants: [
        eventually("each App has a Deployment", (world) => {
          return !world.object(App, key) || world.object(Deployment, key)?.spec?.replicas === 1;
        }),
      ],
      operator: async (mgr) => {
        newWebhookManagedBy(mgr, App)
          .withDefaulter({
            default: async (_ctx, object) => {
              object.spec.replicas ??= 1;
            },
          })
          .complete();
        await run(mgr, [Deployment], async (owner) => {
          const { replicas = isDefective ? Number.NaN : 1 } = owner.spec;
          if (Number.isNaN(replicas)) throw new Error("spec.replicas: the webhook sets it");
          await syncDeployment({ ...owner, spec: { ...owner.spec, replicas } }, mgr);
        });
      },
    }),
  },
];
