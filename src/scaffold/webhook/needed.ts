import { sameResource } from "../../project/entries.ts";
import type { WebhookType } from "../../project/webhooks.ts";
import { hasRest, type WebhookParts } from "./parts.ts";

/** Whether webhooks of a type remain, other than those that are added or removed. */
export function isNeeded(type: WebhookType, parts: WebhookParts): boolean {
  return parts.rest[type] || othersHave(type, parts);
}

/** Whether other kinds have webhooks of a type. */
export function othersHave(type: WebhookType, { project, resource }: WebhookParts): boolean {
  return project.resources.some((entry) => entry.webhooks?.[type] === true && !sameResource(entry, resource));
}

/** Whether any webhooks remain, other than those that are added or removed. */
export function anyNeeded(parts: WebhookParts): boolean {
  const { project, resource } = parts;
  return (
    hasRest(parts) || project.resources.some((entry) => entry.webhooks !== undefined && !sameResource(entry, resource))
  );
}
