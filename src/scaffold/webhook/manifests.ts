import { sameResource } from "../../project/project-file.ts";
import { typesOf, type WebhookType } from "../../project/webhooks.ts";
import { insertAtAnchor, removeInsertion } from "../anchors.ts";
import {
  certManagerParts,
  crdConfigurationParts,
  injectionParts,
  type Part,
  sectionOf,
  webhookParts,
} from "../kustomize/options.ts";
import { readKustomization } from "../kustomize/sections.ts";
import { isOn, switchOff, switchOn } from "../kustomize/switch.ts";
import { hasRest, type WebhookParts } from "./parts.ts";
import type { WebhookStep } from "./step.ts";

const defaultKustomization = "config/default/kustomization.yaml";
const crdKustomization = "config/crd/kustomization.yaml";

/** Everything under config/ that webhooks need in a cluster. */
export function scaffoldManifests({ scaffold, templates, parts, values }: WebhookStep): void {
  const { wanted } = parts;
  const needed = anyNeeded(parts);
  for (const { path, content } of templates.render("webhook/config", values)) scaffold.shared(path, content, needed);
  if (wanted.defaulting || wanted.validation) {
    const more = isNeeded("defaulting", parts) || isNeeded("validation", parts);
    scaffold.append("config/webhook/kustomization.yaml", "resources", ["manifests.yaml"], more);
  }
  const policy = "config/network-policy/kustomization.yaml";
  scaffold.append(policy, "resources", ["allow-webhook-traffic.yaml"], needed);

  const fresh = (set: string, path: string) => () => templates.one(set, path, values);
  if (wanted.conversion) {
    scaffold.change(
      crdKustomization,
      (text) => switchOn(text, crdKustomization, crdConfigurationParts, fresh("crd", crdKustomization)),
      (text) => (isNeeded("conversion", parts) ? text : switchOff(text, crdConfigurationParts)),
    );
  }
  if (wanted.conversion && !parts.rest.conversion) {
    const crd = `${parts.resource.plural}.${parts.resource.qualifiedGroup}`;
    scaffold.change(
      defaultKustomization,
      (text) => addInjection(text, crd),
      (text) => removeInjection(text, crd),
    );
  }
  const injection = typesOf(wanted).flatMap((type) => injectionParts[type]);
  scaffold.change(
    defaultKustomization,
    (text) => {
      // What the user has switched off since then stays off; certificates are injected where they are issued.
      const first: Part[] = needed ? [] : [...webhookParts, ...certManagerParts];
      const all = !needed || isOn(text, certManagerParts) ? [...first, ...injection] : first;
      return switchOn(text, defaultKustomization, all, fresh("init", defaultKustomization));
    },
    (text) => {
      const types = typesOf(wanted).filter((type) => !isNeeded(type, parts));
      const gone: Part[] = needed ? [] : [...webhookParts, ...certManagerParts];
      return switchOff(text, [...gone, ...types.flatMap((type) => injectionParts[type])]);
    },
  );
}

/** Whether there are webhooks of a type beside those that are made or taken back. */
function isNeeded(type: WebhookType, { project, resource, rest }: WebhookParts): boolean {
  return (
    rest[type] || project.resources.some((entry) => entry.webhooks?.[type] === true && !sameResource(entry, resource))
  );
}

function anyNeeded(parts: WebhookParts): boolean {
  const { project, resource } = parts;
  return (
    hasRest(parts) || project.resources.some((entry) => entry.webhooks !== undefined && !sameResource(entry, resource))
  );
}

/** cert-manager writes its CA into a CRD: a target for each of the two replacements that tell it so. */
function injectionLines(crd: string, index: number, commented: boolean): string[] {
  return [
    "     - select:",
    "         kind: CustomResourceDefinition",
    `         name: ${crd}`,
    "       fieldPaths:",
    "         - .metadata.annotations.[cert-manager.io/inject-ca-from]",
    "       options:",
    "         delimiter: '/'",
    `         index: ${index}`,
    "         create: true",
  ].map((line) => (commented ? `#${line}` : line));
}

function addInjection(text: string, crd: string): string {
  const [name, namespace] = injectionParts.conversion;
  const add = (before: string, part: Part | undefined, anchor: string, index: number) => {
    const { sections } = readKustomization(before);
    const commented = part === undefined || sectionOf(sections, part)?.commented !== false;
    return insertAtAnchor(before, defaultKustomization, { anchor, lines: injectionLines(crd, index, commented) });
  };
  return add(add(text, namespace, "crdkustomizecainjectionns", 0), name, "crdkustomizecainjectionname", 1);
}

function removeInjection(text: string, crd: string): string {
  const forms = [0, 1].flatMap((index) => [true, false].map((commented) => injectionLines(crd, index, commented)));
  return forms.reduce((result, lines) => removeInsertion(result, lines) ?? result, text);
}
