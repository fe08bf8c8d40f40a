// The options in config/default/kustomization.yaml, and the entries that belong to each.
import { dirname, join } from "node:path/posix";
import { conversionPatchFile } from "../../project/paths.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import type { WebhookCertificates } from "../../project/webhook-certs.ts";
import { webhookTypes } from "../../project/webhooks.ts";
import type { Tree } from "../files/tree.ts";
import { hasParts, isOn, type Part } from "../kustomize/switch.ts";
import { mapOf } from "../text/maps.ts";

export const defaultKustomization = "config/default/kustomization.yaml";
export const crdKustomization = "config/crd/kustomization.yaml";
export const prometheusKustomization = "config/prometheus/kustomization.yaml";

/** The deployment options, by their names in `edit --enable`. */
export const options = [
  "webhook",
  "cert-manager",
  "prometheus",
  "metrics-certs",
  "network-policy",
  "sharding",
] as const;
export type Option = (typeof options)[number];

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

/** Returns the two replacements for the namespace and name of an object. Their source and targets identify them. */
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

/** The CA bundle for certificates in files: it is copied to the webhook configurations and converted CRDs. */
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

/** Returns the parts that webhooks need, by the source of their certificate. cert-manager's parts are a separate option. */
export function webhookPartsOf(certificates: WebhookCertificates): readonly Part[] {
  return certificates === "files" ? [...webhookParts, ...caBundleParts] : webhookParts;
}

/** cert-manager: the issuer, the certificates, and the DNS names in the webhook certificate. */
export const certManagerParts: readonly Part[] = [
  resourcePart("../certmanager"),
  ...replacementParts("of the webhooks' Service", (source) => isService(source, "webhook-service")),
];

/** The objects into which cert-manager injects its CA, by webhook type. */
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
  // The replacements have no targets until a kind has a conversion.
  conversion: replacementParts(
    "of the certificate for conversion webhooks",
    (source, targets) =>
      isServingCertificate(source) && targets.every(({ kind }) => kind === "CustomResourceDefinition"),
  ),
};

/** Metrics: the Service, and the manager's bind address. */
export const metricsParts: readonly Part[] = [
  resourcePart("metrics_service.yaml"),
  patchPart("manager_metrics_patch.yaml"),
];

export const prometheusParts: readonly Part[] = [resourcePart("../prometheus")];

export const networkPolicyParts: readonly Part[] = [resourcePart("../network-policy")];

/** Sharding: the permissions and the disruption budget, and the manager's flag and replicas. */
export const shardingParts: readonly Part[] = [resourcePart("../sharding"), patchPart("manager_sharding_patch.yaml")];

/** The cert-manager certificate for metrics: its mount in the manager, and its DNS names. */
export const metricsCertsParts: readonly Part[] = [
  patchPart("cert_metrics_manager_patch.yaml"),
  ...replacementParts("of the metrics' Service", (source) =>
    // The Service's name depends on the length of the project's name; see metricsServiceName.
    isService(source, "controller-manager-metrics-service", "metrics-service"),
  ),
];

/** In config/prometheus/kustomization.yaml: lets Prometheus verify that certificate. */
export const prometheusCertsParts: readonly Part[] = [patchPart("monitor_tls_patch.yaml")];

/** In config/crd/kustomization.yaml: lets kustomize insert the Service's name into CRDs. */
export const crdConfigurationParts: readonly Part[] = [
  { list: "configurations", name: "- kustomizeconfig.yaml", matches: (entry) => entry === "kustomizeconfig.yaml" },
];

/** Returns the part in config/crd/kustomization.yaml that lets the API server convert a kind's versions with webhooks. */
export function conversionPart(resource: Resource, project: Project): Part {
  return patchPart(`patches/${conversionPatchFile(resource, project)}`);
}

/** Returns the conversion parts of all kinds in a project. */
function conversionParts(project: Project): Part[] {
  const converted = project.resources.filter(({ webhooks }) => webhooks?.conversion === true);
  return converted.map((entry) => conversionPart(modelOf(entry), project));
}

/** Parts in the same kustomization. */
export interface FileParts {
  readonly file: string;
  readonly parts: readonly Part[];
  /** Whether the option also works without parts that the user has removed. */
  readonly optional?: boolean;
}

/** Returns those of the parts that a kustomization must have, active or commented out. */
export function partsIn(text: string, { parts, optional = false }: FileParts): readonly Part[] {
  if (!optional) return parts;
  return parts.filter((part) => hasParts(text, [part]));
}

/** Returns the files and parts of an option. The first file determines whether it is on. */
export function partsOf(option: Option, project: Project): readonly [FileParts, ...FileParts[]] {
  const { resources, webhookCerts } = project;
  const converted = conversionParts(project);
  const types = webhookTypes.filter((type) => resources.some(({ webhooks }) => webhooks?.[type] === true));
  const table: Readonly<Record<Option, readonly [FileParts, ...FileParts[]]>> = {
    webhook: [
      { file: defaultKustomization, parts: webhookPartsOf(webhookCerts) },
      ...(converted.length === 0
        ? []
        : [
            {
              file: crdKustomization,
              parts: [...converted, ...crdConfigurationParts],
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
    sharding: [{ file: defaultKustomization, parts: shardingParts }],
  };
  return table[option];
}

/** Returns the file that a part of a kustomization refers to, if any. */
export function fileOf(kustomization: string, { path }: Part): string | undefined {
  if (path === undefined) return undefined;
  return join(dirname(kustomization), path.endsWith(".yaml") ? path : `${path}/kustomization.yaml`);
}

/** Returns the kinds whose CRDs have a conversion webhook although the deployment has no webhook Service. */
export function conversionsWithoutWebhooks(tree: Tree, project: Project): string[] {
  const [service] = webhookParts;
  if (service === undefined || isOn(tree.readText(defaultKustomization) ?? "", [service])) return [];
  const crds = tree.readText(crdKustomization) ?? "";
  return project.resources
    .filter((entry) => entry.webhooks?.conversion === true)
    .filter((entry) => isOn(crds, [conversionPart(modelOf(entry), project)]))
    .map(({ kind }) => kind);
}
