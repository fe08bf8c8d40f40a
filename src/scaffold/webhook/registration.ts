import { sameResource } from "../../project/entries.ts";
import { relativeImport, webhookFile } from "../../project/paths.ts";
import { modelOf } from "../../project/project-file.ts";
import { pascalCase } from "../../text/pascal-case.ts";
import { importLine } from "../code/print.ts";
import { groupInName, mainFile, nameInMain } from "../parts/main-file.ts";
import { insertAtAnchor, removeInsertion } from "../plan/anchors.ts";
import { hasRest, type WebhookParts } from "./parts.ts";
import type { WebhookStep } from "./step.ts";
import { webhookNames } from "./values.ts";

/** The condition of all registrations. */
const condition = "enableWebhooks";
/** Reads the environment variable that disables webhooks, once for all kinds. */
const conditionLine = `const ${condition} = process.env.ENABLE_WEBHOOKS !== "false";`;

/** Registers the kind's webhooks with the manager, unless the environment contains ENABLE_WEBHOOKS=false. */
export function scaffoldRegistration({ scaffold, tree, parts }: WebhookStep): void {
  const { setup } = webhookNames(parts);
  const module = relativeImport(mainFile, webhookFile(parts.resource, parts.project));
  const name = nameInMain(tree, { name: setup, module, wanted: wantedName(parts, setup), before: parts.mainBefore });
  const imported = name === setup ? setup : `${setup} as ${name}`;
  const stay = { needed: hasRest(parts) };
  scaffold.insert(mainFile, { anchor: "imports", lines: [importLine([imported], module)] }, stay);
  const lines = [`if (${condition}) await ${name}(mgr);`];
  scaffold.change(
    mainFile,
    (text) =>
      insertAtAnchor(
        text,
        mainFile,
        { anchor: "builder", lines: [conditionLine] },
        { onDisk: tree.readText(mainFile), byHand: [conditionLine, ...lines] },
      ),
    (text) => (stay.needed ? text : withoutCondition(text, lines)),
  );
  scaffold.insert(mainFile, { anchor: "builder", lines }, stay);
}

/** Removes the condition from a text if only the given lines need it. */
function withoutCondition(text: string, call: readonly string[]): string {
  const rest = removeInsertion(removeInsertion(text, call, mainFile) ?? text, [conditionLine], mainFile);
  if (rest === undefined || new RegExp(`\\b${condition}\\b`).test(rest)) return text;
  return removeInsertion(text, [conditionLine], mainFile) ?? text;
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
  const parts = [
    group ? groupInName(resource.group) : "",
    resource.typeName,
    version ? pascalCase(resource.version) : "",
  ];
  return `setup${parts.join("")}WebhookWithManager`;
}
