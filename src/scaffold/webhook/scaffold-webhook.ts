import { sampleTypes } from "../sample.ts";
import type { Scaffold } from "../scaffold.ts";
import type { Templates } from "../templates.ts";
import type { Tree } from "../tree.ts";
import { scaffoldCode } from "./code.ts";
import { scaffoldConversion } from "./conversion.ts";
import { scaffoldEndToEndChecks } from "./end-to-end.ts";
import { scaffoldManifests } from "./manifests.ts";
import type { WebhookParts } from "./parts.ts";
import { scaffoldRegistration } from "./registration.ts";
import type { WebhookStep } from "./step.ts";
import { templateValues } from "./values.ts";

/** Scaffolds all parts of webhooks. */
export async function scaffoldWebhook(
  scaffold: Scaffold,
  tree: Tree,
  templates: Templates,
  parts: WebhookParts,
): Promise<void> {
  const values = templateValues(parts, sampleTypes(tree, parts.resource, parts.project));
  const step: WebhookStep = { scaffold, tree, templates, parts, values };
  await scaffoldCode(step);
  if (parts.wanted.conversion) await scaffoldConversion(step);
  scaffoldRegistration(step);
  scaffoldManifests(step);
  scaffoldEndToEndChecks(step);
}
