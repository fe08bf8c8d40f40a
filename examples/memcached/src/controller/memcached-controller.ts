import {
  type Client,
  type Context,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Pod } from "@kubewright/runtime/api/core/v1";
import { Memcached } from "#api/v1alpha1/index.ts";

const nameLabel = "memcached_cr";

// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch

/** MemcachedReconciler creates a Deployment of `size` Pods for each Memcached, and lists its Pods in the status. */
export class MemcachedReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    const memcached = await ignoreNotFound(this.client.get(Memcached, req));
    if (!memcached) {
      ctx.log.info("Memcached resource not found. Ignoring since object must be deleted");
      return;
    }
    await this.syncDeployment(ctx, memcached);
    await this.syncNodes(ctx, memcached);
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr)
      .for(Memcached)
      .named("memcached")
      .owns(Deployment)
      // Pods are owned by ReplicaSets, so a label contains the name of their Memcached.
      .watches(
        Pod,
        enqueueRequestsFromMapFunc((_ctx, { metadata }) => {
          const name = metadata.labels?.[nameLabel];
          return name === undefined ? [] : [{ namespace: metadata.namespace, name }];
        }),
      )
      .complete(this);
  }

  private async syncDeployment(ctx: Context, memcached: Stored<Memcached>): Promise<void> {
    const { namespace, name } = memcached.metadata;
    const found = await ignoreNotFound(this.client.get(Deployment, { namespace, name }));
    if (!found) {
      ctx.log.info("Creating a new Deployment", { "Deployment.Namespace": namespace, "Deployment.Name": name });
      await this.client.create(deploymentFor(memcached));
    } else if (found.spec && found.spec.replicas !== memcached.spec.size) {
      ctx.log.info("Changing the size", { from: found.spec.replicas, to: memcached.spec.size });
      await this.client.update({ ...found, spec: { ...found.spec, replicas: memcached.spec.size } });
    }
  }

  private async syncNodes(ctx: Context, memcached: Stored<Memcached>): Promise<void> {
    const { namespace, name } = memcached.metadata;
    const pods = await this.client.list(Pod, { namespace, labels: labelsFor(name) });
    // A Pod that was evicted remains, and another one replaces it.
    const present = pods.items.filter(({ status }) => status?.phase !== "Failed" && status?.phase !== "Succeeded");
    // Sort the names: lists have no fixed order, and another order would change the status.
    const nodes = present.map((pod) => pod.metadata.name).sort();
    if (memcached.status?.nodes.join() === nodes.join()) return;
    await this.client.status.update({ ...memcached, status: { nodes } });
    ctx.log.info("Updated the nodes", { nodes });
  }
}

function labelsFor(name: string): Record<string, string> {
  return { app: "memcached", [nameLabel]: name };
}

function deploymentFor(memcached: Stored<Memcached>): Deployment {
  const { namespace, name } = memcached.metadata;
  const labels = labelsFor(name);
  const deployment: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: {
      replicas: memcached.spec.size,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "memcached",
              image: "memcached:1.6-alpine",
              command: ["memcached", "-m=64", "-o", "modern", "-v"],
              ports: [{ name: "memcached", containerPort: 11211 }],
            },
          ],
        },
      },
    },
  };
  setControllerReference(memcached, deployment);
  return deployment;
}
