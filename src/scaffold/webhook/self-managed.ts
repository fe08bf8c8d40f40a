import { typesOf, type WebhookType } from "../../project/webhooks.ts";
import type { Insertion } from "../plan/anchors.ts";
import { isNeeded } from "./needed.ts";
import type { WebhookStep } from "./step.ts";

const managerPatch = "config/default/manager_webhook_patch.yaml";
const injectionRole = "config/webhook/ca_injection_role.yaml";

/**
 * Configures the manager to inject its CA itself: the names of the webhook configurations, and the permission for only
 * those.
 */
export function scaffoldInjection({ scaffold, parts }: WebhookStep): void {
  const { wanted, rest, resource } = parts;
  for (const type of typesOf(wanted)) {
    if (type === "conversion") {
      const crd = `${resource.plural}.${resource.qualifiedGroup}`;
      const rule = ruleFor("apiextensions.k8s.io", "customresourcedefinitions", crd);
      scaffold.insert(injectionRole, rule, { needed: rest.conversion });
      continue;
    }
    const word = admissionWords[type];
    const configuration = `${word}-webhook-configuration`;
    const stay = { needed: isNeeded(type, parts) };
    scaffold.insert(managerPatch, nameFor(`${word.toUpperCase()}_WEBHOOK_CONFIGURATION`, configuration), stay);
    const rule = ruleFor("admissionregistration.k8s.io", `${word}webhookconfigurations`, configuration);
    scaffold.insert(injectionRole, rule, stay);
  }
}

const admissionWords: Readonly<Record<Exclude<WebhookType, "conversion">, string>> = {
  defaulting: "mutating",
  validation: "validating",
};

function nameFor(variable: string, name: string): Insertion {
  const lines = [
    "- op: add",
    "  path: /spec/template/spec/containers/0/env/-",
    "  value:",
    `    name: ${variable}`,
    `    value: ${name}`,
  ];
  return { anchor: "webhookcatargets", lines };
}

function ruleFor(group: string, resource: string, name: string): Insertion {
  const lines = [
    "- apiGroups:",
    `  - ${group}`,
    "  resources:",
    `  - ${resource}`,
    "  resourceNames:",
    `  - ${name}`,
    "  verbs:",
    "  - get",
    "  - patch",
  ];
  return { anchor: "webhookcarules", lines };
}
