import { readFile } from "node:fs/promises";
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "../../api/admissionregistration/v1.ts";

export type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
export const configurationKinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] as const;

/** Reads the webhook configurations of a file. Rejects with a one-line error. */
export async function readConfigurations(path: string): Promise<Configuration[]> {
  try {
    const text = await readFile(path, "utf8");
    const { readYamlDocuments } = await import("@kubewright/cel/yaml");
    const documents = readYamlDocuments(text) as (Partial<Configuration> | null)[];
    return documents.filter((value): value is Configuration => configurationKinds.some((kind) => kind === value?.kind));
  } catch (error) {
    throw new Error(
      `the webhook configurations can't be read: ${(error as Error).message}: run make manifests, and start the manager in the project's directory`,
      { cause: error },
    );
  }
}

type Webhook = MutatingWebhook | ValidatingWebhook;

/**
 * Returns the webhooks of a configuration with a URL. Those that this manager doesn't serve are left out, since calls
 * of them would fail.
 */
export function locallyServed(
  { webhooks = [] }: Configuration,
  serving: { readonly origin: string; readonly caBundle: string; readonly paths: readonly string[] },
): { served: Webhook[]; missing: string[] } {
  const missing: string[] = [];
  const served = (webhooks as Webhook[]).flatMap((webhook) => {
    const { service } = webhook.clientConfig;
    if (!service) return [webhook];
    const path = service.path ?? "/";
    if (!serving.paths.includes(path)) missing.push(webhook.name);
    if (!serving.paths.includes(path)) return [];
    return [{ ...webhook, clientConfig: { url: `${serving.origin}${path}`, caBundle: serving.caBundle } }];
  });
  return { served, missing };
}
