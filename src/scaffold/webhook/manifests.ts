import { typesOf } from "../../project/webhooks.ts";
import type { Tree } from "../files/tree.ts";
import { isOff, isOn, type Part, switchOff, switchOn } from "../kustomize/switch.ts";
import {
  caBundleParts,
  certManagerParts,
  conversionPart,
  crdConfigurationParts,
  crdKustomization,
  defaultKustomization,
  injectionParts,
  metricsCertsParts,
  partsIn,
  partsOf,
  prometheusCertsParts,
  prometheusKustomization,
  webhookPartsOf,
} from "../parts/config-options.ts";
import { insertAtAnchor, removeInsertion } from "../plan/anchors.ts";
import { appendToList, removeFromList } from "../text/yaml-list.ts";
import { anyNeeded, isNeeded } from "./needed.ts";
import { scaffoldInjection } from "./self-managed.ts";
import type { WebhookStep } from "./step.ts";

const webhookKustomization = "config/webhook/kustomization.yaml";
const manifests = ['# Written by "make manifests" from the +kubebuilder:webhook markers.', "- manifests.yaml"];

/** Adds the webhook manifests to a kustomization before the Service, as in scaffolded files. */
function listManifests(text: string): string {
  if (/^[ \t]*-[ \t]+manifests\.yaml[ \t\r]*$/m.test(text)) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const listed = text.replace(/^([ \t]*)-[ \t]+service\.yaml[ \t\r]*$/m, (service, indent: string) =>
    [...manifests.map((line) => indent + line), service].join(eol),
  );
  return listed === text ? appendToList(text, webhookKustomization, "resources", ["manifests.yaml"]) : listed;
}

function unlistManifests(text: string): string {
  return removeInsertion(text, manifests) ?? removeFromList(text, "resources", ["manifests.yaml"]);
}

/** Returns the kustomizations for webhooks without a configuration for the API server, by path. */
export function withoutConfigurations(tree: Tree): Map<string, string> {
  const injected = [...injectionParts.defaulting, ...injectionParts.validation];
  const changes = [
    [webhookKustomization, unlistManifests],
    [defaultKustomization, (text: string) => switchOff(text, injected)],
  ] as const;
  return new Map(
    changes.flatMap(([path, change]) => {
      const text = tree.readText(path);
      return text === undefined ? [] : [[path, change(text)]];
    }),
  );
}

/** Scaffolds the files in config/ that webhooks need. */
export function scaffoldManifests(step: WebhookStep): void {
  const { scaffold, tree, templates, parts, values } = step;
  const { wanted, project } = parts;
  const { webhookCerts } = project;
  const needed = anyNeeded(parts);
  for (const set of ["webhook/config", `webhook/certs/${webhookCerts}`]) {
    for (const { path, content } of templates.render(set, values)) scaffold.shared(path, content, needed);
  }
  if (wanted.defaulting || wanted.validation) {
    const more = isNeeded("defaulting", parts) || isNeeded("validation", parts);
    scaffold.change(webhookKustomization, listManifests, (text) => (more ? text : unlistManifests(text)));
  }
  const policy = "config/network-policy/kustomization.yaml";
  scaffold.append(policy, "resources", ["allow-webhook-traffic.yaml"], needed);

  const fresh = (set: string, path: string) => () => templates.one(set, path, values);
  // If the user has switched webhooks off, the existing ones are enabled too: all of them share one deployment.
  const enables = !needed || isOff(tree.readText(defaultKustomization) ?? "", webhookPartsOf(webhookCerts));
  const [, existing] = enables ? partsOf("webhook", project) : [];
  if (wanted.conversion || existing !== undefined) {
    const converted = wanted.conversion ? [conversionPart(parts.resource, project), ...crdConfigurationParts] : [];
    scaffold.change(
      crdKustomization,
      (text) => {
        const all = [...converted, ...(existing === undefined ? [] : partsIn(text, existing))];
        return switchOn(text, crdKustomization, all, fresh("crd", crdKustomization));
      },
      (text) => (isNeeded("conversion", parts) ? text : switchOff(text, crdConfigurationParts)),
    );
  }
  const targets = webhookCerts === "self" ? [] : injectionTargets[webhookCerts];
  if (webhookCerts === "self") scaffoldInjection(step);
  else if (wanted.conversion && !parts.rest.conversion) {
    const crd = `${parts.resource.plural}.${parts.resource.qualifiedGroup}`;
    scaffold.change(
      defaultKustomization,
      (text) => addInjection(text, crd, targets),
      (text) => removeInjection(text, crd, targets),
    );
  }
  const issued = webhookCerts === "cert-manager";
  const own = [...webhookPartsOf(webhookCerts), ...(issued ? certManagerParts : [])];
  // The metrics certificate depends on the webhooks' issuer, unless certificates are in files.
  const withoutWebhooks = webhookCerts === "files" ? [] : metricsCertsParts;
  const injection = issued ? typesOf(wanted).flatMap((type) => injectionParts[type]) : [];
  scaffold.change(
    defaultKustomization,
    (text) => {
      // Deployed webhooks may have certificates from another source than cert-manager; CA injection follows the certificates.
      const issuer = issued ? partsOf("cert-manager", project)[0].parts : [];
      const first = enables ? [...webhookPartsOf(webhookCerts), ...issuer] : [];
      const all = enables || isOn(text, certManagerParts) ? [...first, ...injection] : first;
      return switchOn(text, defaultKustomization, all, fresh("init", defaultKustomization));
    },
    (text) => {
      const types = typesOf(wanted).filter((type) => !isNeeded(type, parts));
      const gone: Part[] = needed ? [] : [...own, ...withoutWebhooks];
      return switchOff(text, [...gone, ...(issued ? types.flatMap((type) => injectionParts[type]) : [])]);
    },
  );
  const unchecked = needed || webhookCerts === "files" ? [] : prometheusCertsParts;
  if (tree.read(prometheusKustomization) !== undefined) {
    scaffold.change(
      prometheusKustomization,
      (text) => text,
      (text) => switchOff(text, unchecked),
    );
  }
}

/** A target of a replacement that copies the CA, or the name of its source, to a CRD. */
interface InjectionTarget {
  /** The anchor in the replacement for additional CRDs. */
  readonly anchor: string;
  /** The replacement, whose state also applies to added targets. */
  readonly part: Part | undefined;
  readonly lines: readonly string[];
}

const annotation = (index: number) => [
  "       fieldPaths:",
  "         - .metadata.annotations.[cert-manager.io/inject-ca-from]",
  "       options:",
  "         delimiter: '/'",
  `         index: ${index}`,
  "         create: true",
];
const [nameInjection, namespaceInjection] = injectionParts.conversion;

/** cert-manager reads the source of the CA from an annotation; a CA in files is copied directly. */
const injectionTargets: Readonly<Record<"cert-manager" | "files", readonly InjectionTarget[]>> = {
  "cert-manager": [
    { anchor: "crdkustomizecainjectionns", part: namespaceInjection, lines: annotation(0) },
    { anchor: "crdkustomizecainjectionname", part: nameInjection, lines: annotation(1) },
  ],
  files: [
    {
      anchor: "crdkustomizecabundle",
      part: caBundleParts[0],
      lines: [
        "       fieldPaths:",
        "         - .spec.conversion.webhook.clientConfig.caBundle",
        "       options:",
        "         create: true",
      ],
    },
  ],
};

function linesFor(crd: string, { lines }: InjectionTarget, commented: boolean): string[] {
  const head = ["     - select:", "         kind: CustomResourceDefinition", `         name: ${crd}`];
  return [...head, ...lines].map((line) => (commented ? `#${line}` : line));
}

function addInjection(text: string, crd: string, targets: readonly InjectionTarget[]): string {
  return targets.reduce((before, target) => {
    const commented = target.part === undefined || !isOn(before, [target.part]);
    const { anchor } = target;
    return insertAtAnchor(before, defaultKustomization, { anchor, lines: linesFor(crd, target, commented) });
  }, text);
}

function removeInjection(text: string, crd: string, targets: readonly InjectionTarget[]): string {
  const forms = targets.flatMap((target) => [true, false].map((commented) => linesFor(crd, target, commented)));
  return forms.reduce((result, lines) => removeInsertion(result, lines) ?? result, text);
}
