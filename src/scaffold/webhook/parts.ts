import type { Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import { mergedWebhooks, type Webhooks } from "../../project/webhooks.ts";

/** Webhooks of a kind in a project, validated against the rules. */
export interface WebhookParts {
  readonly project: Project;
  readonly resource: Resource;
  /** The webhooks to add or remove. */
  readonly wanted: Webhooks;
  /** The kind's other webhooks. If there are any, its files are edited in place. */
  readonly rest: Webhooks;
  /** The text of a main.ts whose names are kept if a project is scaffolded again. */
  readonly mainBefore?: string;
  /** The text of the kind's webhook file before, if any. The names of its classes are kept. */
  readonly codeBefore?: string;
  /** The comment at the beginning of a new file. */
  readonly header: string;
}

/** Returns all webhooks of the kind. */
export function allWebhooks({ rest, wanted }: WebhookParts): Webhooks {
  return mergedWebhooks(rest, wanted);
}

/** Whether the kind has webhooks other than those that are added or removed. */
export function hasRest({ rest }: WebhookParts): boolean {
  return rest.defaulting || rest.validation || rest.conversion;
}
