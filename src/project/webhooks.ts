import type { ProjectResource, RecordedWebhooks } from "./project-file.ts";
import type { Resource } from "./resource.ts";

/** The kinds of webhooks that a kind can have, with what commands and PROJECT call them. */
export const webhookTypes = ["defaulting", "validation", "conversion"] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** The webhooks of a kind: those that a command asks for, or those that there are. */
export interface Webhooks {
  readonly defaulting: boolean;
  readonly validation: boolean;
  readonly conversion: boolean;
  /** Versions that are converted to this one, the hub. */
  readonly spokes: readonly string[];
  /** A path of its own instead of the regular one. */
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

/** The webhooks that PROJECT records for a resource. */
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

/** The types among a kind's webhooks, in the order of {@link webhookTypes}. */
export function typesOf(webhooks: Webhooks): WebhookType[] {
  return webhookTypes.filter((type) => webhooks[type]);
}

/** What there is after a command has added to it. A new path takes the place of an old one. */
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

/** What PROJECT records of webhooks that are left, which may be none. */
export function recordedIfAny(webhooks: Webhooks): RecordedWebhooks | undefined {
  return typesOf(webhooks).length === 0 ? undefined : recordedWebhooks(webhooks);
}

/** The entry `webhooks` of a resource in PROJECT, keys in the order of the alphabet. */
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

/** Webhooks that the API server calls for admission. */
export type AdmissionType = Exclude<WebhookType, "conversion">;

/** The path that the API server calls, the regular one or the one that was asked for. */
export function webhookPath(type: AdmissionType, of: Resource, webhooks: Webhooks): string {
  const own = type === "defaulting" ? webhooks.defaultingPath : webhooks.validationPath;
  const verb = type === "defaulting" ? "mutate" : "validate";
  return own ?? `/${verb}-${of.qualifiedGroup.replaceAll(".", "-")}-${of.version}-${of.kind.toLowerCase()}`;
}

/** The name of a webhook in its configuration, where each may stand once: the group is in it when the names alone aren't enough. */
function webhookName(type: AdmissionType, of: Resource, unique: boolean): string {
  const group = unique ? "" : `.${of.qualifiedGroup === "" ? "core" : of.qualifiedGroup.replaceAll(".", "-")}`;
  return `${type === "defaulting" ? "m" : "v"}${of.kind.toLowerCase()}-${of.version}${group}.kb.io`;
}

/** The marker from which the generator makes the webhook's configuration. */
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
