import type { Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import { mergedWebhooks, type Webhooks } from "../../project/webhooks.ts";

/** Webhooks of a kind in a project; everything has been checked against the rules. */
export interface WebhookParts {
  readonly project: Project;
  readonly resource: Resource;
  /** What is made or taken back. */
  readonly wanted: Webhooks;
  /** What the kind has beside that. Where it has something, its files are edited in place; else they are of this alone. */
  readonly rest: Webhooks;
  /** The text of main.ts whose names are kept, where a project is scaffolded anew. */
  readonly mainBefore?: string;
  /** The comment that a new file begins with. */
  readonly header: string;
}

/** All webhooks of the kind: those that are made or taken back, and the rest. */
export function allWebhooks({ rest, wanted }: WebhookParts): Webhooks {
  return mergedWebhooks(rest, wanted);
}

/** Whether the kind has webhooks beside those that are made or taken back. */
export function hasRest({ rest }: WebhookParts): boolean {
  return rest.defaulting || rest.validation || rest.conversion;
}
