import { typesOf, type WebhookType } from "../../project/webhooks.ts";
import { othersHave } from "./needed.ts";
import type { WebhookParts } from "./parts.ts";
import type { WebhookStep } from "./step.ts";

const file = "test/e2e/manager.e2e.ts";

/** Scaffolds cluster tests that the API server got the webhooks' CA. Does nothing in a project without cluster tests. */
export function scaffoldEndToEndChecks({ scaffold, tree, templates, parts }: WebhookStep): void {
  if (tree.read(file) === undefined) return;
  for (const type of typesOf(parts.wanted)) {
    const lines = templates.partial("e2e-injection", valuesOf(type, parts)).trimEnd().split("\n");
    const insertion = { anchor: "e2e-webhooks-checks", lines: [...lines, ""] };
    // All kinds share one webhook configuration.
    scaffold.insert(file, insertion, { needed: type !== "conversion" && othersHave(type, parts) });
  }
}

function valuesOf(type: WebhookType, { project, resource }: WebhookParts) {
  if (type === "conversion") {
    return {
      title: `injects the CA for conversion webhooks into the CRD of ${resource.plural}`,
      objectResource: "customresourcedefinitions",
      objectName: `${resource.plural}.${resource.qualifiedGroup}`,
      bundlePath: ".spec.conversion.webhook.clientConfig.caBundle",
    };
  }
  const word = type === "defaulting" ? "mutating" : "validating";
  return {
    title: `injects the CA for ${type} webhooks into their configuration`,
    objectResource: `${word}webhookconfigurations`,
    objectName: `${project.projectName}-${word}-webhook-configuration`,
    bundlePath: ".webhooks[*].clientConfig.caBundle",
  };
}
