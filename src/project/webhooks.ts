import type { ProjectResource, RecordedWebhooks } from "./project-file.ts";
import type { Resource } from "./resource.ts";

/** The types of webhooks, with their names in PROJECT. */
export const webhookTypes = ["defaulting", "validation", "conversion"] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** The webhooks of a kind, either requested by a command or existing. */
export interface Webhooks {
  readonly defaulting: boolean;
  readonly validation: boolean;
  readonly conversion: boolean;
  /** The versions that are converted to and from this one, the hub. */
  readonly spokes: readonly string[];
  /** A path in place of the regular one. */
  readonly defaultingPath?: string;
  readonly validationPath?: string;
}

/** A kind without webhooks. */
export const noWebhooks: Webhooks = Object.freeze({
  defaulting: false,
  validation: false,
  conversion: false,
  spokes: Object.freeze([]),
});

/** Returns the webhooks that PROJECT records for a resource. */
export function webhooksOf(entry: ProjectResource | undefined): Webhooks {
  const { defaulting, validation, conversion, spoke = [], defaultingPath, validationPath } = entry?.webhooks ?? {};
  return {
    defaulting: defaulting === true,
    validation: validation === true,
    conversion: conversion === true,
    spokes: spoke,
    ...(defaultingPath === undefined ? {} : { defaultingPath }),
    ...(validationPath === undefined ? {} : { validationPath }),
  };
}

/** Returns the types of a kind's webhooks, in the order of {@link webhookTypes}. */
export function typesOf(webhooks: Webhooks): WebhookType[] {
  return webhookTypes.filter((type) => webhooks[type]);
}

/** Adds webhooks to existing ones. A new path replaces the old one. */
export function mergedWebhooks(present: Webhooks, added: Webhooks): Webhooks {
  return {
    ...present,
    ...added,
    defaulting: present.defaulting || added.defaulting,
    validation: present.validation || added.validation,
    conversion: present.conversion || added.conversion,
    spokes: [...new Set([...present.spokes, ...added.spokes])],
  };
}

/** Returns the `webhooks` entry for PROJECT, or undefined without webhooks. */
export function recordedIfAny(webhooks: Webhooks): RecordedWebhooks | undefined {
  return typesOf(webhooks).length === 0 ? undefined : recordedWebhooks(webhooks);
}

/** Returns the `webhooks` entry of a resource for PROJECT, with keys in alphabetical order. */
export function recordedWebhooks(webhooks: Webhooks): RecordedWebhooks {
  return {
    ...(webhooks.conversion ? { conversion: true } : {}),
    ...(webhooks.defaulting ? { defaulting: true } : {}),
    ...(webhooks.defaultingPath === undefined ? {} : { defaultingPath: webhooks.defaultingPath }),
    ...(webhooks.spokes.length === 0 ? {} : { spoke: webhooks.spokes }),
    ...(webhooks.validation ? { validation: true } : {}),
    ...(webhooks.validationPath === undefined ? {} : { validationPath: webhooks.validationPath }),
    webhookVersion: "v1",
  };
}

/** The types of admission webhooks. */
export type AdmissionType = Exclude<WebhookType, "conversion">;

/** Returns the path of a webhook: the configured one, or the regular one. */
export function webhookPath(type: AdmissionType, of: Resource, webhooks: Webhooks): string {
  const own = type === "defaulting" ? webhooks.defaultingPath : webhooks.validationPath;
  const verb = type === "defaulting" ? "mutate" : "validate";
  return own ?? `/${verb}-${of.qualifiedGroup.replaceAll(".", "-")}-${of.version}-${of.kind.toLowerCase()}`;
}

/** Returns the name of a webhook, which must be unique in its configuration. It contains the group if kind and version aren't unique. */
function webhookName(type: AdmissionType, of: Resource, unique: boolean): string {
  const group = unique ? "" : `.${of.qualifiedGroup === "" ? "core" : of.qualifiedGroup.replaceAll(".", "-")}`;
  return `${type === "defaulting" ? "m" : "v"}${of.kind.toLowerCase()}-${of.version}${group}.kb.io`;
}

/** Returns the marker from which the generator creates the webhook configuration. */
export function webhookMarker(type: AdmissionType, of: Resource, webhooks: Webhooks, unique: boolean): string {
  const values = {
    path: webhookPath(type, of, webhooks),
    mutating: type === "defaulting",
    failurePolicy: "fail",
    sideEffects: "None",
    groups: of.qualifiedGroup === "" ? '""' : of.qualifiedGroup,
    resources: of.plural,
    verbs: "create;update",
    versions: of.version,
    name: webhookName(type, of, unique),
    admissionReviewVersions: "v1",
  };
  const list = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  return `// +kubebuilder:webhook:${list.join(",")}`;
}
