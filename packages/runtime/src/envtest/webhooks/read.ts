import { existsSync } from "node:fs";
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../../api/admissionregistration/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import { readManifests } from "../../manifests/manifests.ts";
import type { WebhookInstallOptions } from "./options.ts";

export type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

const API_VERSION = "admissionregistration.k8s.io/v1";
const KINDS = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] as const;

/**
 * Returns the webhook configurations of the options.
 *
 * @throws an `Error` that contains the path of an unreadable file
 */
export function readWebhooks(options: WebhookInstallOptions): WebhookConfiguration[] {
  const configurations: WebhookConfiguration[] = [];
  for (const path of options.paths ?? []) {
    if (!existsSync(path)) {
      if (options.ignoreErrorIfPathMissing) continue;
      throw new Error(`${path}: no such file or directory (webhookInstallOptions.paths)`);
    }
    for (const { value, file } of readManifests(path)) {
      const object = value as Partial<KubernetesObject> | null;
      if (KINDS.some((kind) => kind === object?.kind)) configurations.push(checked(object, file));
    }
  }
  const given = { mutatingWebhooks: KINDS[0], validatingWebhooks: KINDS[1] } as const;
  for (const [option, kind] of Object.entries(given)) {
    for (const [index, object] of (options[option as keyof typeof given] ?? []).entries()) {
      const where = `webhookInstallOptions.${option}[${index}]`;
      if (object.kind !== kind) throw new Error(`${where} isn't a ${kind}`);
      configurations.push(checked(object, where));
    }
  }
  return options.kinds
    ? configurations.flatMap((configuration) => onlyFor(configuration, options.kinds ?? []))
    : configurations;
}

/**
 * Returns the configuration with only the webhooks for the given groups and versions, or nothing if it has no such webhook.
 */
function onlyFor(
  configuration: WebhookConfiguration,
  kinds: readonly Pick<Kind, "group" | "version">[],
): WebhookConfiguration[] {
  const names = (wanted: string, given: readonly string[] = []) => given.includes(wanted) || given.includes("*");
  const webhooks = (configuration.webhooks ?? []).filter(({ rules }) =>
    rules?.some(({ apiGroups, apiVersions }) =>
      kinds.some(({ group, version }) => names(group, apiGroups) && names(version, apiVersions)),
    ),
  );
  return webhooks.length > 0 ? [{ ...configuration, webhooks } as WebhookConfiguration] : [];
}

function checked(object: Partial<KubernetesObject> | null, where: string): WebhookConfiguration {
  if (object?.apiVersion !== API_VERSION) {
    throw new Error(`${where}: only ${API_VERSION} is supported for ${object?.kind}, not ${object?.apiVersion}`);
  }
  if (!object.metadata?.name) throw new Error(`${where}: a ${object.kind} without a name`);
  return object as WebhookConfiguration;
}
