import { sameResource } from "../../project/project-file.ts";
import type { WebhookType } from "../../project/webhooks.ts";
import { hasRest, type WebhookParts } from "./parts.ts";

/** Whether there are webhooks of a type beside those that are made or taken back. */
export function isNeeded(type: WebhookType, { project, resource, rest }: WebhookParts): boolean {
  return (
    rest[type] || project.resources.some((entry) => entry.webhooks?.[type] === true && !sameResource(entry, resource))
  );
}

/** Whether there are any beside those that are made or taken back. */
export function anyNeeded(parts: WebhookParts): boolean {
  const { project, resource } = parts;
  return (
    hasRest(parts) || project.resources.some((entry) => entry.webhooks !== undefined && !sameResource(entry, resource))
  );
}
