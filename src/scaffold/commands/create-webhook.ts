import { entryOf, versionsOf } from "../../project/entries.ts";
import type { Project } from "../../project/project-file.ts";
import { mergedWebhooks, noWebhooks, webhooksOf } from "../../project/webhooks.ts";
import type { Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { isOff } from "../kustomize/switch.ts";
import { projectHeader } from "../parts/boilerplate.ts";
import { defaultKustomization, webhookPartsOf } from "../parts/config-options.ts";
import { dependOn } from "../parts/dependency.ts";
import { isOptionOn } from "../parts/switches.ts";
import { PlanBuilder } from "../plan/plan.ts";
import type { Templates } from "../templates/templates.ts";
import { storeHub } from "../webhook/hub-storage.ts";
import { anyNeeded } from "../webhook/needed.ts";
import type { WebhookParts } from "../webhook/parts.ts";
import { scaffoldWebhook } from "../webhook/scaffold-webhook.ts";

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
 * @throws ProblemError if files already exist or can't be edited
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
    codeBefore: input.codeBefore,
  };
  for (const target of plan.both()) {
    await scaffoldWebhook(target, target.tree, templates, parts);
    if (wanted.conversion) storeHub(target, parts);
    if (input.package !== undefined) dependOn(target, input.package);
  }
  if (wanted.conversion) noteAdmission(plan, parts);
  if (anyNeeded(parts)) noteEnabled(plan, tree, project);
  plan.artifact("PROJECT", input.projectText);
  return plan.build();
}

/** Notes the version that existing admission webhooks see: the conversion doesn't change it. */
function noteAdmission(plan: PlanBuilder, { project, resource }: Pick<WebhookParts, "project" | "resource">): void {
  for (const entry of versionsOf(project, resource)) {
    const { defaulting, validation } = webhooksOf(entry);
    if (!defaulting && !validation) continue;
    const { kind, version } = entry;
    plan.note(
      `the admission webhooks of ${kind} stay on ${version}: objects of other versions are converted to it for them, without the fields that ${version} can't represent`,
    );
  }
}

/** Notes the deployment options that the user has switched off and that the new webhook switches on again. */
function noteEnabled(plan: PlanBuilder, tree: Tree, project: Project): void {
  if (!isOff(tree.readText(defaultKustomization) ?? "", webhookPartsOf(project.webhookCerts))) return;
  const hasIssuer = project.webhookCerts === "cert-manager" && !isOptionOn(tree, project, "cert-manager");
  const enabled = ["webhook", ...(hasIssuer ? ["cert-manager"] : [])].join(",");
  plan.note(
    `${defaultKustomization} now deploys the webhooks, which were switched off; npx scaffold edit --disable ${enabled} switches them off again`,
  );
}
