import { sameResource } from "../../project/project-file.ts";
import { mergedWebhooks, type Webhooks, webhooksOf } from "../../project/webhooks.ts";
import { extendChain } from "../code/chains.ts";
import { appendBlock, applyEdits, type Edit } from "../code/edits.ts";
import { addImports } from "../code/imports.ts";
import { type Code, openParser, type ParseCode } from "../code/parse.ts";
import { isTaken } from "../code/search.ts";
import type { PlanBuilder } from "../plan.ts";
import { ScaffoldError } from "../scaffold-error.ts";
import type { Templates } from "../templates.ts";
import type { CreateWebhookInput } from "./input.ts";
import { builderCalls, testImports, webhookImports, webhookNames } from "./values.ts";

/** The file with the kind's webhooks and the one with their tests: made, or given what is new about them. */
export async function addCode(
  plan: PlanBuilder,
  templates: Templates,
  input: CreateWebhookInput,
  values: object,
): Promise<void> {
  const { file, test } = webhookNames(input);
  const present = webhooksOf(input.project.resources.find((entry) => sameResource(entry, input.resource)));
  const extends_ = !input.force && (present.defaulting || present.validation || present.conversion);
  if (!extends_) {
    for (const { path, content } of templates.render("webhook/code", values)) plan.file(path, content, "refuse");
    return;
  }
  const added = newOnes(present, input.wanted);
  if (!added.defaulting && !added.validation && !added.conversion) return;
  const parse = await openParser();
  plan.edit(file, (text) => extendFile(parse, file, text, templates, input, added, values));
  // Tests that the user has thrown away or renamed are not ours to bring back.
  if (plan.has(test)) plan.edit(test, (text) => extendTest(parse, test, text, templates, input, added, values));
}

/** What of the wanted webhooks there isn't yet. */
function newOnes(present: Webhooks, wanted: Webhooks): Webhooks {
  const all = mergedWebhooks(present, wanted);
  return {
    ...all,
    defaulting: all.defaulting && !present.defaulting,
    validation: all.validation && !present.validation,
    conversion: all.conversion && !present.conversion,
  };
}

function extendFile(
  parse: ParseCode,
  path: string,
  text: string,
  templates: Templates,
  input: CreateWebhookInput,
  added: Webhooks,
  values: object,
): string {
  const code = parse(path, text);
  const { setup, defaulter, validator } = webhookNames(input);
  const blocks: string[] = [];
  if (added.defaulting) blocks.push(newBlock(code, defaulter, templates.partial("webhook-defaulter", values)));
  if (added.validation) blocks.push(newBlock(code, validator, templates.partial("webhook-validator", values)));
  const edits: Edit[] = [
    ...addImports(code, webhookImports(input, added)),
    ...extendChain(code, {
      within: setup,
      begin: "newWebhookManagedBy",
      end: "complete",
      calls: builderCalls(input, added),
    }),
  ];
  const edited = applyEdits(text, edits);
  return blocks.reduce((result, block) => applyEdits(result, [appendBlock(result, block)]), edited);
}

function newBlock(code: Code, name: string, block: string): string {
  if (!isTaken(code, name)) return block;
  throw new ScaffoldError(
    "name-taken",
    `${code.path} has a ${name} already, which PROJECT doesn't record; nothing was changed`,
    "rename it and run the command again",
  );
}

function extendTest(
  parse: ParseCode,
  path: string,
  text: string,
  templates: Templates,
  input: CreateWebhookInput,
  added: Webhooks,
  values: object,
): string {
  const blocks: string[] = [];
  const code = parse(path, text);
  if (added.defaulting) blocks.push(templates.partial("webhook-defaulter-test", values));
  if (added.validation) blocks.push(templates.partial("webhook-validator-test", values));
  if (blocks.length === 0) return text;
  const helpers: string[] = [];
  if (!isTaken(code, "ctx")) helpers.push(templates.partial("webhook-context", values));
  if (!isTaken(code, "sample")) helpers.push(templates.partial("webhook-sample", values));
  const edited = applyEdits(text, addImports(code, testImports(input, added)));
  return [...helpers, ...blocks].reduce((result, block) => applyEdits(result, [appendBlock(result, block)]), edited);
}
