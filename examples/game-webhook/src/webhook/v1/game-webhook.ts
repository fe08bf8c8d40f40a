import { type Context, type Defaulter, type Manager, newWebhookManagedBy, type Validator } from "@kubewright/runtime";
import { Game } from "#api/v1/index.ts";

const defaultImage = "alexwhen/docker-2048";

/** Registers the webhooks of Game with the manager. */
export async function setupGameWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, Game).withDefaulter(new GameDefaulter()).withValidator(new GameValidator()).complete();
}

// +kubebuilder:webhook:path=/mutate-myapp-qingwave-github-io-v1-game,mutating=true,failurePolicy=fail,sideEffects=None,groups=myapp.qingwave.github.io,resources=games,verbs=create;update,versions=v1,name=mgame-v1.kb.io,admissionReviewVersions=v1

/** GameDefaulter sets the image and the host of a Game if they are empty. */
export class GameDefaulter implements Defaulter<Game> {
  async default(ctx: Context, game: Game): Promise<void> {
    const { name } = game.metadata ?? {};
    // On creation, the object may not contain its namespace yet, but the request does.
    const namespace = game.metadata?.namespace ?? ctx.request?.namespace;
    ctx.log.info("default", { name });
    game.spec.image ||= defaultImage;
    game.spec.host ||= `${name}.${namespace}.mygame.io`;
  }
}

// +kubebuilder:webhook:path=/validate-myapp-qingwave-github-io-v1-game,mutating=false,failurePolicy=fail,sideEffects=None,groups=myapp.qingwave.github.io,resources=games,verbs=create;update,versions=v1,name=vgame-v1.kb.io,admissionReviewVersions=v1

/** GameValidator rejects hosts with wildcards. */
export class GameValidator implements Validator<Game> {
  async validateCreate(ctx: Context, game: Game): Promise<string[]> {
    ctx.log.info("validate create", { name: game.metadata?.name });
    return checkHost(game);
  }

  async validateUpdate(ctx: Context, _before: Game, game: Game): Promise<string[]> {
    ctx.log.info("validate update", { name: game.metadata?.name });
    return checkHost(game);
  }

  async validateDelete(): Promise<string[]> {
    return [];
  }
}

function checkHost({ spec }: Game): string[] {
  if (spec.host?.includes("*")) throw new Error("host should not contain *");
  return [];
}
