import type { Tree } from "../files/tree.ts";
import type { Scaffold } from "../plan/scaffold.ts";
import type { Templates } from "../templates/templates.ts";
import type { WebhookParts } from "./parts.ts";
import type { templateValues } from "./values.ts";

/** The input of each step of scaffolding webhooks. */
export interface WebhookStep {
  readonly scaffold: Scaffold;
  readonly tree: Tree;
  readonly templates: Templates;
  readonly parts: WebhookParts;
  readonly values: ReturnType<typeof templateValues>;
}
