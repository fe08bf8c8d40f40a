import {
  type Client,
  type Context,
  createOrUpdate,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Service } from "@kubewright/runtime/api/core/v1";
import { MyWebserver } from "#api/v2/index.ts";

// +kubebuilder:rbac:groups=k8sobjects.gsa.com,resources=mywebservers,verbs=get;list;watch
// +kubebuilder:rbac:groups=k8sobjects.gsa.com,resources=mywebservers/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update
// +kubebuilder:rbac:groups=core,resources=services,verbs=get;list;watch;create;update

/** MyWebserverReconciler creates a Deployment and a Service for each MyWebserver. Owner references delete them with it. */
export class MyWebserverReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    const server = await ignoreNotFound(this.client.get(MyWebserver, req));
    if (!server || server.metadata.deletionTimestamp) return;
    const results = { deployment: await this.syncDeployment(server), service: await this.syncService(server) };
    if (results.deployment !== "unchanged" || results.service !== "unchanged") ctx.log.info("synced", results);
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr)
      .for(MyWebserver)
      .named("mywebserver")
      .owns(Deployment)
      .owns(Service)
      .complete(this);
  }

  private syncDeployment(server: Stored<MyWebserver>) {
    const { image, port = 80, replicas = 1 } = server.spec;
    const labels = labelsOf(server);
    const deployment: Deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: childMeta(server),
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
    };
    return createOrUpdate(this.client, deployment, (found) => {
      setControllerReference(server, found);
      found.spec.replicas = replicas;
      // Set only the fields that the MyWebserver decides, and keep the defaults of the API server.
      const [container] = found.spec.template.spec?.containers ?? [];
      const ports = [{ ...container?.ports?.[0], containerPort: port }];
      const containers = [{ ...container, name: "web", image, ports }];
      found.spec.template.spec = { ...found.spec.template.spec, containers };
    });
  }

  private syncService(server: Stored<MyWebserver>) {
    const { port = 80 } = server.spec;
    const service: Service = { apiVersion: "v1", kind: "Service", metadata: childMeta(server) };
    return createOrUpdate(this.client, service, (found) => {
      setControllerReference(server, found);
      const ports = [{ ...found.spec?.ports?.[0], port, targetPort: port }];
      found.spec = { ...found.spec, selector: labelsOf(server), ports };
    });
  }
}

function labelsOf(server: Stored<MyWebserver>): Record<string, string> {
  return { app: server.metadata.name };
}

function childMeta(server: Stored<MyWebserver>) {
  return { name: server.metadata.name, namespace: server.metadata.namespace };
}
