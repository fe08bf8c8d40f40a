// What config/default/kustomization.yaml has as options: which entries belong to each.
import { dirname, join } from "node:path/posix";
import { conversionPatchFile } from "../../project/paths.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import type { WebhookCertificates } from "../../project/webhook-certs.ts";
import { webhookTypes } from "../../project/webhooks.ts";
import { mapOf } from "../maps.ts";
import { readKustomization, type Section } from "./sections.ts";

export const defaultKustomization = "config/default/kustomization.yaml";
export const crdKustomization = "config/crd/kustomization.yaml";
export const prometheusKustomization = "config/prometheus/kustomization.yaml";

/** What can be switched in the deployment, by the names that `edit --enable` takes. */
export const options = ["webhook", "cert-manager", "prometheus", "metrics-certs", "network-policy"] as const;
export type Option = (typeof options)[number];

/** A part of an option: what an entry must be to be it, and what to call it. */
export interface Part {
  readonly list: "resources" | "patches" | "replacements" | "configurations";
  /** For messages, such as `- ../webhook`. */
  readonly name: string;
  /** What it brings in: a directory with a kustomization or a file, relative to the file that it stands in. */
  readonly path?: string;
  matches(entry: unknown): boolean;
}

const resourcePart = (path: string): Part => ({
  list: "resources",
  name: `- ${path}`,
  path,
  matches: (entry) => entry === path,
});

const patchPart = (path: string): Part => ({
  list: "patches",
  name: `- path: ${path}`,
  path,
  matches: (entry) => mapOf(entry).path === path,
});

/** A pair of replacements copies namespace and name of one object: what they copy from and to tells what they are for. */
function replacementParts(name: string, fits: (source: Fields, targets: readonly Fields[]) => boolean): Part[] {
  return ["name", "namespace"].map((field) => ({
    list: "replacements" as const,
    name: `the replacement of the ${field} ${name}`,
    matches: (entry: unknown) => {
      const { source, targets } = mapOf(entry);
      const from = mapOf(source);
      const fieldPath = String(from.fieldPath ?? "").replace(/^\./, "");
      return fieldPath === `metadata.${field}` && fits(from, selects(targets));
    },
  }));
}

type Fields = Readonly<Record<string, unknown>>;

function selects(targets: unknown): Fields[] {
  return Array.isArray(targets) ? targets.map((target) => mapOf(mapOf(target).select)) : [];
}

const isService = (source: Fields, ...names: string[]) =>
  source.kind === "Service" && names.includes(String(source.name));
const isServingCertificate = (source: Fields) => source.kind === "Certificate" && source.name === "serving-cert";

/** Webhooks: the Service with the configurations, and the manager's port and certificate. */
export const webhookParts: readonly Part[] = [resourcePart("../webhook"), patchPart("manager_webhook_patch.yaml")];

/** A CA from elsewhere, where certificates lie in files: it is copied to the webhooks' configurations and converted CRDs. */
export const caBundleParts: readonly Part[] = [
  {
    list: "replacements",
    name: "the replacement of the webhooks' CA bundle",
    matches: (entry) => {
      const source = mapOf(mapOf(entry).source);
      return source.kind === "ConfigMap" && source.name === "webhook-ca";
    },
  },
];

/** What webhooks need in the deployment, by where their certificate comes from; what cert-manager adds is an option of its own. */
export function webhookPartsOf(certificates: WebhookCertificates): readonly Part[] {
  return certificates === "files" ? [...webhookParts, ...caBundleParts] : webhookParts;
}

/** cert-manager: issuer and certificates, and the names in the webhooks' certificate. */
export const certManagerParts: readonly Part[] = [
  resourcePart("../certmanager"),
  ...replacementParts("of the webhooks' Service", (source) => isService(source, "webhook-service")),
];

/** Where cert-manager puts its CA, by the type of webhook. */
export const injectionParts: Readonly<Record<"defaulting" | "validation" | "conversion", readonly Part[]>> = {
  defaulting: replacementParts(
    "of the certificate for defaulting webhooks",
    (source, targets) =>
      isServingCertificate(source) && targets.some(({ kind }) => kind === "MutatingWebhookConfiguration"),
  ),
  validation: replacementParts(
    "of the certificate for validating webhooks",
    (source, targets) =>
      isServingCertificate(source) && targets.some(({ kind }) => kind === "ValidatingWebhookConfiguration"),
  ),
  // As long as no kind is converted the pair has no targets.
  conversion: replacementParts(
    "of the certificate for conversion webhooks",
    (source, targets) =>
      isServingCertificate(source) && targets.every(({ kind }) => kind === "CustomResourceDefinition"),
  ),
};

/** The metrics: their Service, and the address that the manager serves them on. */
export const metricsParts: readonly Part[] = [
  resourcePart("metrics_service.yaml"),
  patchPart("manager_metrics_patch.yaml"),
];

export const prometheusParts: readonly Part[] = [resourcePart("../prometheus")];

export const networkPolicyParts: readonly Part[] = [resourcePart("../network-policy")];

/** A certificate of cert-manager for the metrics: the manager's mount, and the names in the certificate. */
export const metricsCertsParts: readonly Part[] = [
  patchPart("cert_metrics_manager_patch.yaml"),
  ...replacementParts("of the metrics' Service", (source) =>
    // By the length of the project's name, see metricsServiceName.
    isService(source, "controller-manager-metrics-service", "metrics-service"),
  ),
];

/** In config/prometheus/kustomization.yaml: Prometheus checks that certificate. */
export const prometheusCertsParts: readonly Part[] = [patchPart("monitor_tls_patch.yaml")];

/** In config/crd/kustomization.yaml: kustomize puts the Service's name into CRDs. */
export const crdConfigurationParts: readonly Part[] = [
  { list: "configurations", name: "- kustomizeconfig.yaml", matches: (entry) => entry === "kustomizeconfig.yaml" },
];

/** In config/crd/kustomization.yaml: the API server calls the webhooks to convert a kind's versions. */
export function conversionPart(resource: Resource, project: Project): Part {
  return patchPart(`patches/${conversionPatchFile(resource, project)}`);
}

/** Parts of one kustomization. */
export interface FileParts {
  readonly file: string;
  readonly parts: readonly Part[];
  /** Parts that the user has taken out are none of the option. */
  readonly optional?: boolean;
}

/** Those of the parts that a kustomization must have, in force or as comments. */
export function partsIn(text: string, { parts, optional = false }: FileParts): readonly Part[] {
  if (!optional) return parts;
  const { sections } = readKustomization(text);
  return parts.filter((part) => sectionOf(sections, part) !== undefined);
}

/** What an option switches; the first file tells whether it is on. */
export function partsOf(option: Option, project: Project): readonly [FileParts, ...FileParts[]] {
  const { resources, webhookCerts } = project;
  const converted = resources.filter(({ webhooks }) => webhooks?.conversion === true).map(modelOf);
  const types = webhookTypes.filter((type) => resources.some(({ webhooks }) => webhooks?.[type] === true));
  const table: Readonly<Record<Option, readonly [FileParts, ...FileParts[]]>> = {
    webhook: [
      { file: defaultKustomization, parts: webhookPartsOf(webhookCerts) },
      ...(converted.length === 0
        ? []
        : [
            {
              file: crdKustomization,
              parts: [...converted.map((resource) => conversionPart(resource, project)), ...crdConfigurationParts],
              optional: true,
            },
          ]),
    ],
    "cert-manager": [
      { file: defaultKustomization, parts: [...certManagerParts, ...types.flatMap((type) => injectionParts[type])] },
    ],
    prometheus: [{ file: defaultKustomization, parts: prometheusParts }],
    "metrics-certs": [
      { file: defaultKustomization, parts: metricsCertsParts },
      { file: prometheusKustomization, parts: prometheusCertsParts },
    ],
    "network-policy": [{ file: defaultKustomization, parts: networkPolicyParts }],
  };
  return table[option];
}

/** The file that a part of a kustomization brings in, if any. */
export function fileOf(kustomization: string, { path }: Part): string | undefined {
  if (path === undefined) return undefined;
  return join(dirname(kustomization), path.endsWith(".yaml") ? path : `${path}/kustomization.yaml`);
}

/** The section of a kustomization that is a part, in force or not. */
export function sectionOf(sections: readonly Section[], part: Part): Section | undefined {
  return sections.find((section) => section.list === part.list && part.matches(section.entry));
}
