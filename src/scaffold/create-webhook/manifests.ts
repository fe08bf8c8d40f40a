import { typesOf } from "../../project/webhooks.ts";
import { insertAtAnchor } from "../anchors.ts";
import {
  certManagerParts,
  crdConfigurationParts,
  injectionParts,
  type Part,
  sectionOf,
  webhookParts,
} from "../kustomize/options.ts";
import { readKustomization } from "../kustomize/sections.ts";
import { isOn, switchOn } from "../kustomize/switch.ts";
import type { PlanBuilder } from "../plan.ts";
import type { Templates } from "../templates.ts";
import { appendToList } from "../yaml-list.ts";
import type { CreateWebhookInput } from "./input.ts";

const defaultKustomization = "config/default/kustomization.yaml";
const crdKustomization = "config/crd/kustomization.yaml";
const webhookKustomization = "config/webhook/kustomization.yaml";
const policyKustomization = "config/network-policy/kustomization.yaml";

/** Everything under config/ that webhooks need in a cluster. */
export function addManifests(plan: PlanBuilder, templates: Templates, input: CreateWebhookInput, values: object): void {
  const { project, all, wanted } = input;
  for (const { path, content } of templates.render("webhook/config", values)) {
    if (!plan.has(path)) plan.file(path, content, "keep");
  }
  if (all.defaulting || all.validation) {
    plan.edit(webhookKustomization, (text) =>
      appendToList(text, webhookKustomization, "resources", ["manifests.yaml"]),
    );
  }
  plan.edit(policyKustomization, (text) =>
    appendToList(text, policyKustomization, "resources", ["allow-webhook-traffic.yaml"]),
  );
  const freshText = (set: string, path: string) => () => templates.one(set, path, values);
  if (wanted.conversion) {
    plan.edit(defaultKustomization, (text) => addInjection(text, input));
    plan.edit(crdKustomization, (text) =>
      switchOn(text, crdKustomization, crdConfigurationParts, freshText("crd", crdKustomization)),
    );
  }
  const first = !project.resources.some((entry) => entry.webhooks !== undefined);
  const injection = typesOf(wanted).flatMap((type) => injectionParts[type]);
  plan.edit(defaultKustomization, (text) => {
    // What the user has switched off since then stays off; certificates are injected where they are issued.
    const parts: Part[] = first ? [...webhookParts, ...certManagerParts] : [];
    if (first || isOn(text, certManagerParts)) parts.push(...injection);
    return switchOn(text, defaultKustomization, parts, freshText("init", defaultKustomization));
  });
}

/** cert-manager writes its CA into the kind's CRD: a target for each of the two replacements that tell it so. */
function addInjection(text: string, { resource }: CreateWebhookInput): string {
  const [name, namespace] = injectionParts.conversion;
  const add = (before: string, part: Part | undefined, anchor: string, index: number) => {
    const { sections } = readKustomization(before);
    const commented = part === undefined || sectionOf(sections, part)?.commented !== false;
    const lines = [
      "     - select:",
      "         kind: CustomResourceDefinition",
      `         name: ${resource.plural}.${resource.qualifiedGroup}`,
      "       fieldPaths:",
      "         - .metadata.annotations.[cert-manager.io/inject-ca-from]",
      "       options:",
      "         delimiter: '/'",
      `         index: ${index}`,
      "         create: true",
    ].map((line) => (commented ? `#${line}` : line));
    return insertAtAnchor(before, defaultKustomization, { anchor, lines });
  };
  return add(add(text, namespace, "crdkustomizecainjectionns", 0), name, "crdkustomizecainjectionname", 1);
}
