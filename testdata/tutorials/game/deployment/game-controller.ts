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
import { Game } from "#api/v1/index.ts";

const gameLabelName = "qingwave.github.io/game";
const containerPort = 80;

// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps,resources=deployments/status,verbs=get;update;patch

/** GameReconciler creates a Deployment for each Game. */
export class GameReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    const game = await ignoreNotFound(this.client.get(Game, req));
    // The Game was deleted or is being deleted. Kubernetes deletes its children through their owner references.
    if (!game || game.metadata.deletionTimestamp) return;

    await this.syncDeployment(ctx, game);
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Game).owns(Deployment).complete(this);
  }

  private async syncDeployment(ctx: Context, game: Stored<Game>): Promise<void> {
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
