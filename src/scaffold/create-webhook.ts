import { entryOf } from "../project/entries.ts";
import { mergedWebhooks, noWebhooks, webhooksOf } from "../project/webhooks.ts";
import { projectHeader } from "./boilerplate.ts";
import { dependOn } from "./dependency.ts";
import type { Plan } from "./operation.ts";
import { PlanBuilder } from "./plan.ts";
import type { Templates } from "./templates.ts";
import type { Tree } from "./tree.ts";
import { storeHub } from "./webhook/hub-storage.ts";
import type { WebhookParts } from "./webhook/parts.ts";
import { scaffoldWebhook } from "./webhook/scaffold-webhook.ts";

/** The input of `create webhook`, validated against the rules and the project. */
export interface CreateWebhookInput extends Omit<WebhookParts, "header" | "rest"> {
  /** Overwrites the kind's files, including the user's changes, with code for all of its webhooks. */
  readonly force: boolean;
  readonly year: number;
  /** The new text of PROJECT. */
  readonly projectText: string;
  /** An npm package to depend on, `name` or `name@version`. */
  readonly package?: string;
}

/**
 * Plans new webhooks for a kind.
 *
 * @throws ScaffoldError if files already exist or can't be edited
 */
export async function planCreateWebhook(tree: Tree, templates: Templates, input: CreateWebhookInput): Promise<Plan> {
  const { project, resource, force } = input;
  const present = webhooksOf(entryOf(project, resource));
  const wanted = force ? mergedWebhooks(present, input.wanted) : input.wanted;
  const plan = new PlanBuilder(tree, { force });
  const parts = {
    project,
    resource,
    wanted,
    rest: force ? noWebhooks : present,
    header: projectHeader(tree, input.year),
    mainBefore: input.mainBefore,
  };
  for (const target of plan.both()) {
    await scaffoldWebhook(target, target.tree, templates, parts);
    if (wanted.conversion) storeHub(target, parts);
    if (input.package !== undefined) dependOn(target, input.package);
  }
  plan.artifact("PROJECT", input.projectText);
  return plan.build();
}
