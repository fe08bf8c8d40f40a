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
import { Deployment, type DeploymentSpec } from "@kubewright/runtime/api/apps/v1";
import { Service, type ServiceSpec } from "@kubewright/runtime/api/core/v1";
import { Ingress, type IngressRule } from "@kubewright/runtime/api/networking/v1";
import { Game, type GameStatus, NotReady, Running } from "#api/v1/index.ts";

const gameLabelName = "qingwave.github.io/game";
const containerPort = 80;

// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps,resources=deployments/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=core,resources=services,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=networking.k8s.io,resources=ingresses,verbs=get;list;watch;create;update;patch;delete

/** GameReconciler creates a Deployment, a Service and an Ingress for each Game. */
export class GameReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    const game = await ignoreNotFound(this.client.get(Game, req));
    // The Game was deleted or is being deleted. Kubernetes deletes its children through their owner references.
    if (!game || game.metadata.deletionTimestamp) return;

    const deployment = await this.syncDeployment(ctx, game);
    await this.syncService(ctx, game);
    await this.syncIngress(ctx, game);
    await this.syncStatus(ctx, game, deployment);
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr)
      .for(Game)
      .owns(Deployment)
      .owns(Service)
      .owns(Ingress)
      .withOptions({ maxConcurrentReconciles: 3 })
      .complete(this);
  }

  private async syncDeployment(ctx: Context, game: Stored<Game>): Promise<Deployment> {
    const deployment: Deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: childMeta(game),
      spec: deploymentSpec(game),
    };
    const result = await createOrUpdate(this.client, deployment, (found) => {
      setControllerReference(game, found);
      // Set only the fields that the Game decides. Overwriting defaults of the server would cause an update in every reconcile.
      found.spec.replicas = game.spec.replicas;
      const container = found.spec.template.spec?.containers[0];
      if (container) container.image = game.spec.image;
    });
    if (result !== "unchanged") ctx.log.info("synced deployment", { result });
    return deployment;
  }

  private async syncService(ctx: Context, game: Stored<Game>): Promise<void> {
    const service: Service = { apiVersion: "v1", kind: "Service", metadata: childMeta(game) };
    const result = await createOrUpdate(this.client, service, (found) => {
      setControllerReference(game, found);
      found.spec ??= serviceSpec(game);
    });
    if (result !== "unchanged") ctx.log.info("synced service", { result });
  }

  private async syncIngress(ctx: Context, game: Stored<Game>): Promise<void> {
    const ingress: Ingress = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: childMeta(game) };
    const result = await createOrUpdate(this.client, ingress, (found) => {
      setControllerReference(game, found);
      found.spec = { ...found.spec, rules: [ingressRule(game)] };
    });
    if (result !== "unchanged") ctx.log.info("synced ingress", { result });
  }

  private async syncStatus(ctx: Context, game: Stored<Game>, deployment: Deployment): Promise<void> {
    const { replicas = 0, readyReplicas = 0 } = deployment.status ?? {};
    const status: GameStatus = {
      phase: readyReplicas === game.spec.replicas ? Running : NotReady,
      replicas,
      readyReplicas,
      labelSelector: `${gameLabelName}=${game.metadata.name}`,
    };
    const keys = Object.keys(status) as (keyof GameStatus)[];
    if (keys.every((key) => status[key] === game.status?.[key])) return;
    await this.client.status.update({ ...game, status });
    ctx.log.info("updated status", { phase: status.phase, readyReplicas });
  }
}

function labels(game: Stored<Game>): Record<string, string> {
  return { ...game.metadata.labels, [gameLabelName]: game.metadata.name };
}

function childMeta(game: Stored<Game>) {
  return { name: game.metadata.name, namespace: game.metadata.namespace, labels: labels(game) };
}

function deploymentSpec(game: Stored<Game>): DeploymentSpec {
  return {
    replicas: game.spec.replicas,
    selector: { matchLabels: { [gameLabelName]: game.metadata.name } },
    template: {
      metadata: { labels: labels(game) },
      spec: { containers: [{ name: "game", image: game.spec.image, ports: [{ name: "http", containerPort }] }] },
    },
  };
}

function serviceSpec(game: Stored<Game>): ServiceSpec {
  return {
    selector: { [gameLabelName]: game.metadata.name },
    ports: [{ name: "http", port: 80, targetPort: containerPort }],
  };
}

function ingressRule(game: Stored<Game>): IngressRule {
  const backend = { service: { name: game.metadata.name, port: { number: 80 } } };
  return { host: game.spec.host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } };
}
