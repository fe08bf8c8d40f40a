import { sameResource, versionsOf } from "../../project/entries.ts";
import { webhookFile } from "../../project/paths.ts";
import { webhookPath } from "../../project/webhooks.ts";
import { plannedTree } from "../files/memory-tree.ts";
import type { Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { projectHeader } from "../parts/boilerplate.ts";
import { settleDependency } from "../parts/dependency.ts";
import { storeFirst, unmarkOnly } from "../parts/stored-copy.ts";
import { UndoBuilder } from "../plan/undo.ts";
import type { Templates } from "../templates/templates.ts";
import type { WebhookParts } from "../webhook/parts.ts";
import { scaffoldWebhook } from "../webhook/scaffold-webhook.ts";

/** The input of `delete webhook`. The webhooks exist. */
export interface DeleteWebhookInput extends Omit<WebhookParts, "header"> {
  readonly year: number;
  /** The new text of PROJECT. */
  readonly projectText: string;
}

/** Plans the removal of a kind's webhooks. Files that the user has changed stay, with a note. */
export async function planDeleteWebhook(tree: Tree, templates: Templates, input: DeleteWebhookInput): Promise<Plan> {
  const undo = new UndoBuilder(tree);
  const parts = { ...input, header: projectHeader(tree, input.year) };
  for (const target of undo.both()) {
    await scaffoldWebhook(target, target.tree, templates, parts);
    // The generator doesn't write empty files, so it would leave the old manifests.
    if (!admissionIsLeft(input)) target.generated("config/webhook/manifests.yaml");
    if (input.wanted.conversion && target.isPristine) storeFirst(target, input);
    else if (input.wanted.conversion) unmarkOnly(target, versionsOf(input.project, input.resource), input);
    settleDependency(target, input);
  }
  undo.artifact("PROJECT", input.projectText);
  const plan = undo.build();
  return { ...plan, notes: [...markersLeft(tree, plan, input), ...(plan.notes ?? [])] };
}

/** Describes the markers that stay in a file changed by the user: the webhooks that they configure are no longer served. */
function markersLeft(tree: Tree, plan: Plan, { project, resource, wanted }: DeleteWebhookInput): string[] {
  const file = webhookFile(resource, project);
  const text = plannedTree(tree, plan).readText(file) ?? "";
  const markers = text.split("\n").filter((line) => line.includes("+kubebuilder:webhook:"));
  return (["defaulting", "validation"] as const)
    .filter((type) => wanted[type])
    .map((type) => webhookPath(type, resource, wanted))
    .filter((path) => markers.some((marker) => /[:,]path="?([^,"]+)/.exec(marker)?.[1] === path))
    .map(
      (path) =>
        `${file} still has the marker of ${path}, which the manager no longer serves: remove it, or the API server rejects each ${resource.kind}`,
    );
}

function admissionIsLeft({ project, resource, rest }: DeleteWebhookInput): boolean {
  const others = project.resources.filter((entry) => !sameResource(entry, resource));
  return [rest, ...others.map(({ webhooks }) => webhooks)].some(
    (webhooks) => webhooks?.defaulting === true || webhooks?.validation === true,
  );
}
