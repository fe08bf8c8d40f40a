import { groupDirectory, relativeImport, webhookFile } from "../../project/paths.ts";
import { modelOf, sameResource } from "../../project/project-file.ts";
import { pascalCase } from "../../project/resource.ts";
import { insertAtAnchor } from "../anchors.ts";
import { awaitCall, importLine } from "../code-lines.ts";
import type { PlanBuilder } from "../plan.ts";
import type { CreateWebhookInput } from "./input.ts";
import { webhookNames } from "./values.ts";

const mainFile = "src/main.ts";

/** The manager registers the kind's webhooks, unless the environment says ENABLE_WEBHOOKS=false. */
export function registerInMain(plan: PlanBuilder, input: CreateWebhookInput): void {
  const { setup } = webhookNames(input);
  const module = relativeImport(mainFile, webhookFile(input.resource, input.project));
  const alias = aliasFor(input);
  const imported = alias === undefined ? setup : `${setup} as ${alias}`;
  plan.edit(mainFile, (text) => {
    // Under which name it was imported is then the user's business.
    if (text.includes(`"${module}"`)) return text;
    const withImport = insertAtAnchor(text, mainFile, {
      anchor: "imports",
      lines: importLine([imported], module).split("\n"),
    });
    return insertAtAnchor(withImport, mainFile, {
      anchor: "builder",
      lines: [
        'if (process.env.ENABLE_WEBHOOKS !== "false") {',
        ...awaitCall(alias ?? setup, "mgr", "    ").map((line) => `  ${line}`),
        "}",
      ],
    });
  });
}

/** Two kinds of one name, or two versions of a kind, need two names in main.ts: the later one gets its group, its version or both. */
function aliasFor({ project, resource }: CreateWebhookInput): string | undefined {
  const rivals = project.resources
    .filter((entry) => entry.webhooks !== undefined && !sameResource(entry, resource))
    .map(modelOf)
    .filter(({ kind }) => kind === resource.kind);
  if (rivals.length === 0) return undefined;
  const group = rivals.some((rival) => rival.qualifiedGroup !== resource.qualifiedGroup);
  const version = rivals.some((rival) => rival.qualifiedGroup === resource.qualifiedGroup);
  const parts = [
    group ? pascalCase(groupDirectory(resource.group)) : "",
    resource.kind,
    version ? pascalCase(resource.version) : "",
  ];
  return `setup${parts.join("")}WebhookWithManager`;
}
