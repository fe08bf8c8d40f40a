import { readFile } from "node:fs/promises";
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "../../api/admissionregistration/v1.ts";

export type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
export const configurationKinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] as const;

/** The webhook configurations of a file. Rejects with one line where it can't be read. */
export async function readConfigurations(path: string): Promise<Configuration[]> {
  try {
    const text = await readFile(path, "utf8");
    const { loadAll } = await import("js-yaml");
    const documents = loadAll(text) as (Partial<Configuration> | null)[];
    return documents.filter((value): value is Configuration => configurationKinds.some((kind) => kind === value?.kind));
  } catch (error) {
    throw new Error(
      `the webhooks' configurations can't be read: ${(error as Error).message}; run make manifests, and the manager in the project's directory`,
      { cause: error },
    );
  }
}

type Webhook = MutatingWebhook | ValidatingWebhook;

/**
 * The webhooks of a configuration as they are called by URL. Those that nobody serves here are left out: calls of them could
 * only fail.
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
