import type { Issue, UnknownName } from "@kubewright/cel/language";
import { similarHint } from "../../../diagnostics/did-you-mean.ts";
import type { ValidationRule } from "../../schema/model/json-schema.ts";
import type { Finding } from "../model/finding.ts";
import { parseJsonPath, resolveJsonPath } from "../model/json-path.ts";
import type { Site } from "../model/site.ts";
import { isWritten } from "../schema/one-of.ts";
import { compileRules, type RuleExpression } from "./compile.ts";

type Report = (finding: Finding) => void;

/** Reports problems in the CEL rules of a schema. */
export function celRules(site: Site, report: Report): void {
  const compiled = compileRules(site);
  // The one-of lint checks the names in generated rules.
  for (const rule of (site.schema["x-kubernetes-validations"] ?? []).filter(isWritten)) {
    const blame = (finding: Omit<Finding, "keywords" | "matching">) =>
      report({
        ...finding,
        keywords: ["x-kubernetes-validations"],
        matching: { rule: rule.rule },
      });
    checkMessage(rule, blame);
    if (rule.rule.trim() === "") {
      blame({ id: "cel-syntax", message: "the rule is empty", hint: "write a CEL expression", argument: "rule" });
    }
    if (!compiled) {
      const message = "a rule can't validate a value without a type";
      blame({ id: "cel-type", message, hint: "write the rule for a value with a type", argument: "rule" });
    }
    for (const expression of compiled?.expressions ?? [])
      if (expression.rule === rule) checkExpression(expression, blame);
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

const refused = "the API server rejects a CRD with this rule";
const resultTypes = { rule: ["bool", "a Boolean"], messageExpression: ["string", "a string"] } as const;

function checkExpression({ rule, argument, result }: RuleExpression, blame: Blame): void {
  const text = rule[argument] ?? "";
  const wrong = (problem: string) =>
    blame({ id: "cel-type", message: `the ${label(argument)} ${problem}`, hint: refused, argument });
  const [kind, shown] = resultTypes[argument];
  if (!("problems" in result)) {
    if (result.type.kind !== kind) wrong(`must return ${shown}`);
    else if (argument === "rule" && rule.optionalOldSelf !== undefined && !result.references.has("oldSelf")) {
      const hint = "remove the argument, or compare with `oldSelf`";
      const message = "optionalOldSelf requires a rule that uses oldSelf";
      blame({ id: "cel-old-self", message, hint, argument: "optionalOldSelf" });
    }
  } else if (result.step === "parse") {
    const [first] = [...result.issues].sort((a, b) => a.offset - b.offset) as [Issue];
    const message = `the ${label(argument)} isn't a valid CEL expression: ${syntaxProblem(first, text)}`;
    blame({ id: "cel-syntax", message, hint: refused, argument });
  } else if (result.step === "program") {
    wrong(`has an invalid constant: ${result.problems}`);
  } else {
    for (const issue of result.issues) {
      if (issue.unknown) blame({ id: "cel-unknown-name", ...unknownName(issue.unknown, argument), argument });
      else wrong(`has a type error: ${issue.message}${excerpt(text, issue.offset)}`);
    }
  }
}

function unknownName({ kind, name, candidates }: UnknownName, argument: RuleExpression["argument"]) {
  const message = `the ${label(argument)} uses the unknown ${kind} "${name}"`;
  const available = `available: ${candidates.slice(0, 12).join(", ")}`;
  const explanation = candidates.length === 0 ? "rules can only use declared fields with a type" : available;
  return { message, hint: similarHint(name, candidates, kind === "function" ? refused : explanation) };
}

function syntaxProblem({ message, offset }: Issue, text: string): string {
  const reserved = /^reserved identifier: (.*)$/.exec(message)?.[1];
  if (reserved !== undefined) return `"${reserved}" is a reserved word${excerpt(text, offset)}`;
  if (!message.startsWith("Syntax error: ")) return message + excerpt(text, offset);
  const rest = [...text].slice(offset).join("").trim();
  const [token] = /^(?:\w+|[^\w\s])/u.exec(rest) ?? [];
  return (token === undefined ? "it ends unexpectedly" : `"${token}" is unexpected`) + excerpt(text, offset);
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
  const resolved = resolveJsonPath({ type: "object", properties: { self: schema } }, [
    { kind: "field", name: "self" },
    ...parsed.steps,
  ]);
  if (resolved.kind !== "missing") return;
  const hint = similarHint(resolved.name, resolved.candidates, "use a field of the value that the rule validates");
  blame({ id, message: `fieldPath ${path} doesn't exist: ${resolved.message}`, hint, argument: "fieldPath" });
}

function label(argument: RuleExpression["argument"]): string {
  return argument === "rule" ? "rule" : "message expression";
}

function excerpt(text: string, offset: number): string {
  const before = [...text]
    .slice(Math.max(0, offset - 20), Math.max(0, offset))
    .join("")
    .trim();
  return before === "" ? "" : ` after \`${before.replaceAll("\n", " ")}\``;
}
