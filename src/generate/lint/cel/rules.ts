import { similarHint } from "../../../diagnostics/did-you-mean.ts";
import type { ValidationRule } from "../../schema/json-schema.ts";
import type { Finding } from "../finding.ts";
import { parseJsonPath, resolveJsonPath } from "../json-path.ts";
import { isWritten } from "../schema/one-of.ts";
import type { Site } from "../site.ts";
import { unknownNames } from "./check.ts";
import { parseRule } from "./parse.ts";

type Report = (finding: Finding) => void;

/** Reports problems in the CEL rules of a schema. */
export function celRules(site: Site, report: Report): void {
  for (const rule of site.schema["x-kubernetes-validations"] ?? []) {
    // The one-of lint checks the names in generated rules.
    if (!isWritten(rule)) continue;
    const blame = (finding: Omit<Finding, "keywords" | "matching">) =>
      report({
        ...finding,
        keywords: ["x-kubernetes-validations"],
        matching: { rule: rule.rule },
      });
    checkMessage(rule, blame);
    checkExpression(site, rule, "rule", blame);
    if (rule.messageExpression !== undefined) checkExpression(site, rule, "messageExpression", blame);
    if (rule.fieldPath !== undefined) checkFieldPath(site, rule.fieldPath, blame);
  }
}

/** Checks the message of a rule: the API server rejects line breaks in it. */
function checkMessage({ rule, message = "" }: ValidationRule, blame: Blame): void {
  const id = "cel-message";
  const text = message.trim();
  if (message !== "" && text === "") {
    blame({ id, message: "the message is empty", hint: "describe why the value is invalid", argument: "message" });
  } else if (/[\n\r]/.test(text)) {
    blame({ id, message: "the message has line breaks", hint: "write it in one line", argument: "message" });
  } else if (/[\n\r]/.test(rule.trim()) && text === "") {
    const hint = 'add `message="…"`, or write the rule in one line';
    blame({ id, message: "a rule with line breaks needs a message", hint, argument: "rule" });
  }
}

type Blame = (finding: Omit<Finding, "keywords" | "matching">) => void;

function checkExpression(site: Site, rule: ValidationRule, argument: "rule" | "messageExpression", blame: Blame): void {
  const text = rule[argument] ?? "";
  if (text.trim() === "") {
    if (argument === "rule")
      blame({ id: "cel-syntax", message: "the rule is empty", hint: "write a CEL expression", argument });
    return;
  }
  const parsed = parseRule(text);
  if (parsed.kind === "problem") {
    const where = excerpt(text, parsed.offset);
    blame({
      id: "cel-syntax",
      message: `the ${label(argument)} isn't a valid CEL expression: ${parsed.message}${where}`,
      hint: "the API server rejects a CRD with this rule",
      argument,
    });
  }
  if (parsed.kind !== "ast") return;
  if (argument === "rule" && rule.optionalOldSelf !== undefined && !text.includes("oldSelf")) {
    const hint = "remove the argument, or compare with `oldSelf`";
    const message = "optionalOldSelf requires a rule that uses oldSelf";
    blame({ id: "cel-old-self", message, hint, argument: "optionalOldSelf" });
  }
  const isRoot = site.parent === undefined || site.schema["x-kubernetes-embedded-resource"] === true;
  const unknown = unknownNames(parsed.ast, site.schema, isRoot, rule.optionalOldSelf === true);
  for (const { kind, name, candidates } of unknown) {
    const message = `the ${label(argument)} uses the unknown ${kind} "${name}"`;
    const available = `available: ${candidates.slice(0, 12).join(", ")}`;
    const all = candidates.length === 0 ? "rules can only use declared fields with a type" : available;
    blame({ id: "cel-unknown-name", message, hint: similarHint(name, candidates, all), argument });
  }
}

/** Checks that the path is relative to the value and exists. */
function checkFieldPath({ schema }: Site, path: string, blame: Blame): void {
  const id = "cel-field-path";
  const parsed = parseJsonPath(path);
  if ("problem" in parsed) {
    const hint = "use a form such as `.spec.min`";
    blame({ id, message: `invalid fieldPath: ${parsed.problem}`, hint, argument: "fieldPath" });
    return;
  }
  if (parsed.steps.some((step) => step.kind !== "field")) {
    const hint = "use the path of the list itself";
    blame({ id, message: `fieldPath ${path} points inside a list`, hint, argument: "fieldPath" });
    return;
  }
  const found = resolveJsonPath({ type: "object", properties: { self: schema } }, [
    { kind: "field", name: "self" },
    ...parsed.steps,
  ]);
  if (found.kind !== "missing") return;
  const hint = similarHint(found.name, found.candidates, "use a field of the value that the rule validates");
  blame({ id, message: `fieldPath ${path} doesn't exist: ${found.message}`, hint, argument: "fieldPath" });
}

function label(argument: "rule" | "messageExpression"): string {
  return argument === "rule" ? "rule" : "message expression";
}

function excerpt(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - 20), offset).trim();
  return before === "" ? "" : ` after \`${before.replaceAll("\n", " ")}\``;
}
