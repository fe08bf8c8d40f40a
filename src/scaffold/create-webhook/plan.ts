import { projectHeader } from "../boilerplate.ts";
import type { Plan } from "../operation.ts";
import { PlanBuilder } from "../plan.ts";
import type { Templates } from "../templates.ts";
import type { Tree } from "../tree.ts";
import { addCode } from "./code.ts";
import { addConversion } from "./conversion.ts";
import { addEndToEndChecks } from "./end-to-end.ts";
import type { CreateWebhookInput } from "./input.ts";
import { registerInMain } from "./main-file.ts";
import { addManifests } from "./manifests.ts";
import { dependOn } from "./package.ts";
import { templateValues } from "./values.ts";

/** The plan of new webhooks for a kind. Throws a ScaffoldError when files are in the way, or can't be edited. */
export async function planCreateWebhook(tree: Tree, templates: Templates, input: CreateWebhookInput): Promise<Plan> {
  const plan = new PlanBuilder(tree, { force: input.force });
  const values = templateValues(input, projectHeader(tree, input.year));
  await addCode(plan, templates, input, values);
  if (input.wanted.conversion) await addConversion(plan, templates, input, values);
  registerInMain(plan, input);
  addManifests(plan, templates, input, values);
  addEndToEndChecks(plan, templates, input);
  if (input.package !== undefined) dependOn(plan, input.package);
  plan.artifact("PROJECT", input.projectText);
  return plan.build();
}
