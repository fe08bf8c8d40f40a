import { sameResource } from "../../project/entries.ts";
import { relativeImport, webhookFile } from "../../project/paths.ts";
import { modelOf } from "../../project/project-file.ts";
import { pascalCase } from "../../project/resource.ts";
import { awaitCall, importLine } from "../code-lines.ts";
import { groupInName, mainFile, nameInMain } from "../main-file.ts";
import { hasRest, type WebhookParts } from "./parts.ts";
import type { WebhookStep } from "./step.ts";
import { webhookNames } from "./values.ts";

/** Registers the kind's webhooks with the manager, unless the environment contains ENABLE_WEBHOOKS=false. */
export function scaffoldRegistration({ scaffold, tree, parts }: WebhookStep): void {
  const { setup } = webhookNames(parts);
  const module = relativeImport(mainFile, webhookFile(parts.resource, parts.project));
  const name = nameInMain(tree, { name: setup, module, wanted: wantedName(parts, setup), before: parts.mainBefore });
  const imported = name === setup ? setup : `${setup} as ${name}`;
  const stay = { needed: hasRest(parts) };
  scaffold.insert(mainFile, { anchor: "imports", lines: importLine([imported], module).split("\n") }, stay);
  const call = awaitCall(name, "mgr", "    ").map((line) => `  ${line}`);
  const lines = ['if (process.env.ENABLE_WEBHOOKS !== "false") {', ...call, "}"];
  scaffold.insert(mainFile, { anchor: "builder", lines }, stay);
}

/**
 * Returns the local name for main.ts. If another kind or version has the same one, the later one gets its group, version or
 * both.
 */
function wantedName({ project, resource }: WebhookParts, setup: string): string {
  const rivals = project.resources
    .filter((entry) => entry.webhooks !== undefined && !sameResource(entry, resource))
    .map(modelOf)
    .filter(({ kind }) => kind === resource.kind);
  if (rivals.length === 0) return setup;
  const group = rivals.some((rival) => rival.qualifiedGroup !== resource.qualifiedGroup);
  const version = rivals.some((rival) => rival.qualifiedGroup === resource.qualifiedGroup);
  const parts = [group ? groupInName(resource.group) : "", resource.kind, version ? pascalCase(resource.version) : ""];
  return `setup${parts.join("")}WebhookWithManager`;
}
