import type { Tree } from "../files/tree.ts";
import { sampleTypes } from "../parts/sample.ts";
import type { Scaffold } from "../plan/scaffold.ts";
import type { Templates } from "../templates/templates.ts";
import { scaffoldCode } from "./code.ts";
import { scaffoldConversion } from "./conversion.ts";
import { scaffoldEndToEndChecks } from "./end-to-end.ts";
import { scaffoldManifests } from "./manifests.ts";
import type { WebhookParts } from "./parts.ts";
import { scaffoldRegistration } from "./registration.ts";
import type { WebhookStep } from "./step.ts";
import { templateValues, webhookNames } from "./values.ts";

/** Scaffolds all parts of webhooks. */
export async function scaffoldWebhook(
  scaffold: Scaffold,
  tree: Tree,
  templates: Templates,
  given: WebhookParts,
): Promise<void> {
  const codeBefore = given.codeBefore ?? tree.readText(webhookNames(given).file);
  const parts = { ...given, codeBefore };
  const values = templateValues(parts, sampleTypes(tree, parts.resource, parts.project));
  const step: WebhookStep = { scaffold, tree, templates, parts, values };
  await scaffoldCode(step);
  if (parts.wanted.conversion) await scaffoldConversion(step);
  scaffoldRegistration(step);
  scaffoldManifests(step);
  scaffoldEndToEndChecks(step);
}
