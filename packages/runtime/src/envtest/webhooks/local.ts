import type { WebhookClientConfig } from "../../api/admissionregistration/v1.ts";
import { cloneJson } from "../../json/clone.ts";
import type { CRD } from "../../manifests/crds.ts";
import type { WebhookServing } from "./options.ts";
import type { WebhookConfiguration } from "./read.ts";
import { servingURL } from "./serving.ts";

/** Returns the configuration with clients that call the local server: by URL instead of a Service, and with its CA. */
export function withLocalClients(configuration: WebhookConfiguration, serving: WebhookServing): WebhookConfiguration {
  const local = cloneJson(configuration);
  for (const webhook of local.webhooks ?? []) {
    webhook.clientConfig = localClient(webhook.clientConfig ?? {}, serving);
  }
  return local;
}

function localClient({ service, url }: WebhookClientConfig, serving: WebhookServing): WebhookClientConfig {
  return { url: service ? servingURL(serving, service.path ?? "") : url, caBundle: caBundle(serving) };
}

/** Returns the CRD with the local server as its conversion webhook, or without conversion if the kind isn't convertible. */
export function withLocalConversion(crd: CRD, serving: WebhookServing): CRD {
  if (crd.spec.preserveUnknownFields) return crd;
  if (!isConvertible(crd, serving)) {
    const { conversion, ...spec } = crd.spec;
    return conversion?.strategy === "Webhook" ? { ...crd, spec } : crd;
  }
  const webhook = {
    conversionReviewVersions: ["v1", "v1beta1"],
    clientConfig: { url: servingURL(serving, "/convert"), caBundle: caBundle(serving) },
  };
  return { ...crd, spec: { ...crd.spec, conversion: { strategy: "Webhook", webhook } } };
}

function isConvertible({ spec }: CRD, { convertibleKinds, ignoreSchemeConvertible }: WebhookServing): boolean {
  if (ignoreSchemeConvertible) return true;
  if (!convertibleKinds) return spec.conversion?.strategy === "Webhook";
  return convertibleKinds.some(({ group, kind }) => group === spec.group && kind === spec.names.kind);
}

function caBundle({ localServingCAData }: WebhookServing): string {
  return Buffer.from(localServingCAData, "utf8").toString("base64");
}
