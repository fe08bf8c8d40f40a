import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  type WebhookClientConfig,
} from "../../api/admissionregistration/v1.ts";
import { CustomResourceDefinition } from "../../api/apiextensions/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import type { Client, Reader } from "../../client/client.ts";
import { type JsonPatchOperation, jsonPatch } from "../../client/patch.ts";
import { isTakenOver } from "../local/annotation.ts";
import type { CABundleTarget } from "../options/self-managed.ts";

/** Webhook client configurations of an object by their JSON pointers. */
type Places = readonly (readonly [pointer: string, config: Pick<WebhookClientConfig, "caBundle"> | undefined])[];

/**
 * Writes the CA bundle as PEM text into every webhook of an object, unless it is already there. Concurrent changes
 * reject with a conflict.
 */
export async function injectCABundle(
  clients: { reader: Reader; client: Client },
  target: CABundleTarget,
  bundle: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const { object, places } = await read(clients.reader, target, signal);
  // It refers to a manager on a developer's machine, which has its own CA and will restore the original value.
  if (isTakenOver(object)) return false;
  const value = Buffer.from(bundle).toString("base64");
  const stale = places.filter(([, config]) => config?.caBundle !== value);
  if (stale.length === 0) return false;
  const operations: JsonPatchOperation[] = [
    // The server compares it: other versions are a conflict.
    { op: "add", path: "/metadata/resourceVersion", value: object.metadata?.resourceVersion },
    ...stale.map(([path]) => ({ op: "add" as const, path: `${path}/caBundle`, value })),
  ];
  await clients.client.patch(object, jsonPatch(operations), { signal });
  return true;
}

/** Returns the CA bundles of an object as PEM text. */
export async function readCABundle(reader: Reader, target: CABundleTarget, signal?: AbortSignal): Promise<string> {
  const { places } = await read(reader, target, signal);
  const bundles = new Set(places.map(([, config]) => Buffer.from(config?.caBundle ?? "", "base64").toString()));
  return [...bundles].join("\n");
}

/** Checks whether an object configures webhooks. A CRD without a conversion webhook doesn't. */
export async function callsWebhooks(
  reader: Reader,
  { kind, name }: CABundleTarget,
  signal?: AbortSignal,
): Promise<boolean> {
  if (kind !== "CustomResourceDefinition") return true;
  const { spec } = await reader.get(CustomResourceDefinition, { name }, { signal });
  return spec.conversion?.webhook?.clientConfig !== undefined;
}

async function read(
  reader: Reader,
  { kind, name }: CABundleTarget,
  signal?: AbortSignal,
): Promise<{ object: KubernetesObject; places: Places }> {
  if (kind === "CustomResourceDefinition") {
    const object = await reader.get(CustomResourceDefinition, { name }, { signal });
    const config = object.spec.conversion?.webhook?.clientConfig;
    if (!config) throw new Error(`CustomResourceDefinition ${name} has no conversion webhook that needs the CA`);
    return { object, places: [["/spec/conversion/webhook/clientConfig", config]] };
  }
  const configuration =
    kind === "MutatingWebhookConfiguration" ? MutatingWebhookConfiguration : ValidatingWebhookConfiguration;
  const object = await reader.get<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
    configuration,
    { name },
    { signal },
  );
  const webhooks = object.webhooks ?? [];
  return {
    object,
    places: webhooks.map(({ clientConfig }, at) => [`/webhooks/${at}/clientConfig`, clientConfig] as const),
  };
}
