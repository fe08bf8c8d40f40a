import type { Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import type { Webhooks } from "../../project/webhooks.ts";

/** What `create webhook` adds; everything has been checked against the rules and the project. */
export interface CreateWebhookInput {
  readonly project: Project;
  readonly resource: Resource;
  /** What the call asks for. */
  readonly wanted: Webhooks;
  /** What the kind has afterwards, `wanted` included. */
  readonly all: Webhooks;
  /** Scaffolds the kind's files again, with all of its webhooks, over what the user made of them. */
  readonly force: boolean;
  readonly year: number;
  /** The new text of PROJECT. */
  readonly projectText: string;
  /** An npm package to depend on, `name` or `name@version`. */
  readonly package?: string;
}
