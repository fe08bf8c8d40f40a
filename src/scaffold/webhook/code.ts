import { ProblemError } from "../../project/problem-error.ts";
import { mergedWebhooks, type Webhooks } from "../../project/webhooks.ts";
import { appendBlock, removeBlock } from "../code/blocks.ts";
import { mapApiImports } from "../parts/package-json.ts";
import { hasRest, type WebhookParts } from "./parts.ts";
import type { WebhookStep } from "./step.ts";
import { builderCalls, testImports, webhookImports, webhookNames } from "./values.ts";

type Editor = typeof import("../code/editor.ts");

/** Scaffolds the file with the kind's webhooks and their tests, completely or by editing existing ones. */
export async function scaffoldCode(step: WebhookStep): Promise<void> {
  const { scaffold, tree, templates, parts, values } = step;
  const { file, test } = webhookNames(parts);
  if (parts.resource.module === undefined) mapApiImports(scaffold);
  const rendered = templates.render("webhook/code", values);
  // A test file without tests fails. A conversion is tested in its own file.
  const hasTests = ({ defaulting, validation }: Webhooks) => defaulting || validation || values.servers;
  if (!hasRest(parts)) {
    for (const { path, content } of rendered) {
      if (path !== test || hasTests(parts.wanted)) scaffold.file(path, content, "refuse");
    }
    return;
  }
  const added = beside(parts);
  if (!added.defaulting && !added.validation && !added.conversion) return;
  const editor = await import("../code/editor.ts");
  scaffold.change(
    file,
    (text) => extendFile(editor, text, step, added),
    (text) => shrinkFile(editor, text, step, added),
  );
  if (!hasTests(parts.rest)) {
    const first = rendered.find(({ path }) => path === test);
    if (first !== undefined && hasTests(added)) scaffold.file(test, first.content, "refuse");
    return;
  }
  // Don't recreate tests that the user has deleted or renamed.
  if (tree.read(test) === undefined) return;
  scaffold.change(
    test,
    (text) => extendTest(editor, text, step, added),
    (text) => shrinkTest(editor, text, step, added),
  );
}

/** Returns the wanted webhooks that the kind doesn't have yet. Additional spokes aren't a second conversion. */
function beside({ rest, wanted }: WebhookParts): Webhooks {
  return {
    ...mergedWebhooks(rest, wanted),
    defaulting: wanted.defaulting && !rest.defaulting,
    validation: wanted.validation && !rest.validation,
    conversion: wanted.conversion && !rest.conversion,
  };
}

function chainOf(parts: WebhookParts, added: Webhooks) {
  const { setup } = webhookNames(parts);
  return { within: setup, begin: "newWebhookManagedBy", end: "complete", calls: builderCalls(parts, added) };
}

/** Returns the classes of webhooks, each with its name. */
function classesOf({ templates, parts, values }: WebhookStep, added: Webhooks): { name: string; text: string }[] {
  const { defaulter, validator } = webhookNames(parts);
  return [
    ...(added.defaulting ? [{ name: defaulter, text: templates.partial("webhook-defaulter", values) }] : []),
    ...(added.validation ? [{ name: validator, text: templates.partial("webhook-validator", values) }] : []),
  ];
}

function testsOf({ templates, values }: WebhookStep, added: Webhooks): string[] {
  return [
    ...(added.defaulting ? [templates.partial("webhook-defaulter-test", values)] : []),
    ...(added.validation ? [templates.partial("webhook-validator-test", values)] : []),
  ];
}

function extendFile(editor: Editor, text: string, step: WebhookStep, added: Webhooks): string {
  const { parts } = step;
  const { file: path } = webhookNames(parts);
  const classes = classesOf(step, added);
  const extended = editor.editSource(path, text, (file) => {
    for (const { name } of classes) if (editor.isTaken(file, name)) throw nameTaken(path, name);
    editor.addImports(file, webhookImports(parts, added));
    editor.extendChain(file, path, chainOf(parts, added));
  });
  return classes.map((each) => each.text).reduce(appendBlock, extended);
}

function nameTaken(path: string, name: string): ProblemError {
  return new ProblemError(
    "name-taken",
    `${path} already has a ${name}, which PROJECT doesn't record; nothing was changed`,
    "rename it and run the command again",
  );
}

function extendTest(editor: Editor, before: string, step: WebhookStep, added: Webhooks): string {
  const { parts, templates, values } = step;
  const text = added.conversion ? startConverting(before, values.kindValue) : before;
  const blocks = testsOf(step, added);
  if (blocks.length === 0) return text;
  const extended = editor.editSource(webhookNames(parts).test, text, (file) => {
    if (!editor.isTaken(file, "sample")) blocks.unshift(templates.partial("webhook-sample", values));
    if (!editor.isTaken(file, "ctx")) blocks.unshift(templates.partial("webhook-context", values));
    editor.addImports(file, testImports(parts, added));
  });
  return blocks.reduce(appendBlock, extended);
}

/** Removes calls, classes and imports. A class that the user has changed stays, with its imports. */
function shrinkFile(editor: Editor, text: string, step: WebhookStep, added: Webhooks): string {
  const { parts } = step;
  const path = webhookNames(parts).file;
  const unchained = editor.editSource(path, text, (file) => editor.shortenChain(file, chainOf(parts, added)));
  const shorter = classesOf(step, added).reduce((result, each) => removeBlock(result, each.text), unchained);
  return editor.editSource(path, shorter, (file) => editor.removeImports(file, webhookImports(parts, added)));
}

function shrinkTest(editor: Editor, before: string, step: WebhookStep, added: Webhooks): string {
  const { parts, templates, values } = step;
  const text = added.conversion ? stopConverting(before, values.kindValue) : before;
  const withoutTests = testsOf(step, added).reduce(removeBlock, text);
  // Remove the code that all admission tests share with the last of them.
  const context = removeBlock(withoutTests, templates.partial("webhook-context", values));
  const shorter = /\bctx\b/.test(context) ? withoutTests : context;
  const imports = testImports(parts, added);
  return editor.editSource(webhookNames(parts).test, shorter, (file) => editor.removeImports(file, imports));
}

/**
 * Makes the API server of a scaffolded suite convert a kind. CRDs in config/crd/bases have no conversion webhook, and
 * without it, other versions lose the fields that the stored one doesn't have.
 *
 * @param kind the kind's name in the file
 */
function startConverting(text: string, kind: string): string {
  if (text.includes("convertibleKinds:")) return text;
  const match = new RegExp(`\\bkinds: \\[${kind}\\](,?)`).exec(text);
  if (match === null) return text;
  const before = text.slice(0, match.index);
  const space = before.slice(before.trimEnd().length);
  const after = text.slice(match.index + match[0].length);
  return `${before}kinds: [${kind}],${space}convertibleKinds: [${kind}]${match[1]}${after}`;
}

/** Removes the line that {@link startConverting} adds. */
function stopConverting(text: string, kind: string): string {
  const [before = "", ...after] = text.split(new RegExp(`\\bconvertibleKinds: \\[${kind}\\],?`));
  return after.length === 0 ? text : before.trimEnd() + after.join("");
}
