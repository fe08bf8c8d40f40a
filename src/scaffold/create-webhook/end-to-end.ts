import { typesOf, type WebhookType } from "../../project/webhooks.ts";
import { insertAtAnchor } from "../anchors.ts";
import type { PlanBuilder } from "../plan.ts";
import type { Templates } from "../templates.ts";
import type { CreateWebhookInput } from "./input.ts";

const file = "test/e2e/manager.e2e.ts";

/** The tests in a cluster see whether the API server was given the webhooks' CA. A project without these tests stays without. */
export function addEndToEndChecks(plan: PlanBuilder, templates: Templates, input: CreateWebhookInput): void {
  if (!plan.has(file)) return;
  for (const type of typesOf(input.wanted)) {
    const lines = templates.partial("e2e-injection", valuesOf(type, input)).trimEnd().split("\n");
    plan.edit(file, (text) => insertAtAnchor(text, file, { anchor: "e2e-webhooks-checks", lines: [...lines, ""] }));
  }
}

function valuesOf(type: WebhookType, { project, resource }: CreateWebhookInput) {
  if (type === "conversion") {
    return {
      title: `has the CA of the conversion of ${resource.plural} in their CRD`,
      objectResource: "customresourcedefinitions",
      objectName: `${resource.plural}.${resource.qualifiedGroup}`,
      bundlePath: ".spec.conversion.webhook.clientConfig.caBundle",
    };
  }
  const word = type === "defaulting" ? "mutating" : "validating";
  return {
    title: `has the CA of the ${type} webhooks in their configuration`,
    objectResource: `${word}webhookconfigurations`,
    objectName: `${project.projectName}-${word}-webhook-configuration`,
    bundlePath: ".webhooks[*].clientConfig.caBundle",
  };
}
