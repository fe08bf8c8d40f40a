import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { byBytes } from "../../text/byte-order.ts";
import type { CrdModel, NamedCrd } from "../crd/crds.ts";
import { POLICY_ACTIONS, POLICY_OPERATIONS, POLICY_REASONS } from "../markers/definitions/policy.ts";
import { argumentPlace, argumentsOf, type Marker, type MarkerArguments } from "../markers/index.ts";
import { policyMark } from "../output/generated-files.ts";
import { toYaml } from "../output/yaml.ts";
import type { Run } from "../run/run.ts";
import { checkExpression, type ExpressionName, type ObjectTypes } from "./check-rule.ts";
import { type PolicySpec, policyDocuments } from "./documents.ts";
import { objectType } from "./object-type.ts";

/** A generated file. */
export interface PolicyFile {
  readonly name: string;
  readonly text: string;
  readonly crds?: readonly NamedCrd[];
}

/** The kind that a policy applies to. */
interface PolicyTarget {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly types: ObjectTypes;
}

type Arguments = MarkerArguments<"kubewright:policy">;
const markerName = "kubewright:policy";
const policiesFile = "policies.yaml";

/** Generates the policies of all markers, and their kustomization. With an error, nothing is generated. */
export function policyFiles(run: Run, { crds }: CrdModel): PolicyFile[] {
  let failed = false;
  const report = (diagnostic: Diagnostic) => {
    failed = true;
    run.report(diagnostic);
  };
  const policies = new Map<string, PolicySpec>();
  for (const [marker, target] of targetsOf(run, crds, report)) {
    const policy = policyOf(marker, target, report);
    if (!policy) continue;
    if (policies.has(policy.name)) {
      const message = `the policy ${policy.name} is declared twice`;
      report(badPolicy(marker, "name", message, "use another name"));
    }
    policies.set(policy.name, policy);
  }
  if (failed) return [];
  const sorted = [...policies.values()].sort((a, b) => byBytes(a.name, b.name));
  // kustomize refuses a kustomization without any list.
  const resources = sorted.length === 0 ? [] : [policiesFile];
  const kustomization = { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources };
  return [
    { name: "kustomization.yaml", text: yamlFile([kustomization]) },
    ...(sorted.length === 0 ? [] : [{ name: policiesFile, text: yamlFile(sorted.flatMap(policyDocuments)), crds }]),
  ];
}

function yamlFile(documents: readonly object[]): string {
  const texts = documents.map((document) => {
    const result = toYaml(document);
    if ("problem" in result) throw new Error(result.problem);
    return result.text;
  });
  return `# ${policyMark} Change the markers instead.\n${documents.length === 1 ? texts[0] : texts.map((text) => `---\n${text}`).join("")}`;
}

type Report = (diagnostic: Diagnostic) => void;

function badPolicy(marker: Marker, argument: string, message: string, hint?: string): Diagnostic {
  return { id: "bad-policy", severity: "error", message, ...argumentPlace(marker, argument), hint };
}

/** Returns each marker with the kind that its policy applies to. */
function targetsOf({ roots, packages }: Run, crds: readonly NamedCrd[], report: Report): [Marker, PolicyTarget][] {
  const fail = (marker: Marker, argument: string, message: string, hint: string) =>
    report(badPolicy(marker, argument, message, hint));
  return roots.flatMap((root) => [
    ...packages.typesOf(root).flatMap((type) =>
      type.markers.get(markerName).flatMap((marker): [Marker, PolicyTarget][] => {
        const crd = crds.find(({ types }) => types.includes(type));
        const version = crd?.document.spec.versions.find(({ name }) => name === type.package.version);
        if (resourceIn(marker) !== undefined) {
          fail(marker, "resource", "resource isn't used on a kind", "remove it, or write the marker for the package");
          return [];
        }
        if (!crd || !version) {
          const hint = "write it on a kind, or with resource= in a comment of its own";
          fail(marker, "name", `+${markerName} is on ${type.name}, which isn't a kind with a CRD`, hint);
          return [];
        }
        const { group, names } = crd.document.spec;
        const structs = new Map();
        const own = objectType(version.schema.openAPIV3Schema, names.kind, structs);
        return [[marker, { group, version: version.name, plural: names.plural, types: { type: own, structs } }]];
      }),
    ),
    ...root.markers.get(markerName).flatMap((marker): [Marker, PolicyTarget][] => {
      const [, group = "", version, plural] =
        /^(?:([a-z0-9.-]+)\/)?(v[a-z0-9]+|\*)\/([a-z]+(?:\/[a-z]+)?)$/.exec(resourceIn(marker) ?? "") ?? [];
      if (version === undefined || plural === undefined) {
        const hint = "for example resource=apps/v1/deployments, or resource=v1/pods for the core group";
        fail(marker, "resource", `+${markerName} of a package needs resource=GROUP/VERSION/PLURAL`, hint);
        return [];
      }
      return [[marker, { group, version, plural, types: { structs: new Map() } }]];
    }),
  ]);
}

function resourceIn(marker: Marker): string | undefined {
  return argumentsOf(markerName, marker.value).resource || undefined;
}

function policyOf(marker: Marker, target: PolicyTarget, report: Report): PolicySpec | undefined {
  const given = argumentsOf(markerName, marker.value);
  let isValid = true;
  const fail = (argument: string, message: string, hint?: string) => {
    isValid = false;
    report(badPolicy(marker, argument, message, hint));
  };
  const choice = <Value extends string>(argument: keyof Arguments, text: string, values: readonly Value[]): Value => {
    const value = values.find((value) => value.toLowerCase() === text.toLowerCase());
    if (value === undefined) fail(argument, `${argument} must be ${values.join(", ")}, not ${JSON.stringify(text)}`);
    return value ?? (text as Value);
  };
  const { name = "", rule = "", message = "" } = given;
  const subresource = target.plural.replace("/", ".");
  const full = [name, subresource, target.group].filter((part) => part !== "").join(".");
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) {
    fail(
      "name",
      `name must have lowercase letters, digits and hyphens: ${JSON.stringify(name)}`,
      "for example name=owner",
    );
  } else if (full.length > 253) fail("name", `the name ${full} has more than 253 characters`, "shorten it");
  if (message !== "" && (message.trim() === "" || /[\n\r]/.test(message))) {
    fail("message", "the message must be one line that isn't empty");
  }
  for (const argument of ["rule", "messageExpression", "condition"] as const) {
    const text = given[argument] ?? "";
    if (text.trim() === "" && argument !== "rule" && !marker.places.has(argument)) continue;
    isValid = reportExpression(marker, argument, text, target.types, report) && isValid;
  }
  if (/[\n\r]/.test(rule.trim()) && message === "") {
    fail("rule", "a rule with line breaks needs a message", 'add message="…"');
  }
  const listed = given.operations ?? [];
  const operations = (listed.length === 0 ? ["CREATE", "UPDATE"] : listed).map((each) =>
    choice("operations", each, POLICY_OPERATIONS),
  );
  if (operations.includes("*") && operations.length > 1)
    fail("operations", "operations must be * or a list without it");
  const action = choice("action", given.action || "Deny", POLICY_ACTIONS);
  const reason = given.reason ? choice("reason", given.reason, POLICY_REASONS) : undefined;
  if (!isValid) return undefined;
  const { messageExpression, condition } = given;
  return {
    name: full,
    resource: target,
    operations: [...new Set(operations)],
    action,
    rule,
    ...(message === "" ? {} : { message: message.trim() }),
    ...(messageExpression ? { messageExpression } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(condition ? { condition } : {}),
  };
}

/** Reports the problems of an expression at their positions. Returns whether it has none. */
function reportExpression(
  marker: Marker,
  argument: ExpressionName,
  text: string,
  types: ObjectTypes,
  report: Report,
): boolean {
  const place = argumentPlace(marker, argument);
  const id = "bad-policy-rule";
  if (text.trim() === "") {
    report({ id, severity: "error", message: `the ${argument} is empty`, ...place, hint: "write a CEL expression" });
    return false;
  }
  const problems = checkExpression(text, argument, types);
  const offset = marker.places.get(argument) ?? 0;
  // The value can be in quotes. Escapes before the position would change it, so that the position is that of the value.
  const quote = /["'`]/.test(marker.line.text[offset] ?? "") ? 1 : 0;
  for (const problem of problems) {
    const before = [...text].slice(0, problem.offset).join("");
    const isVerbatim = marker.line.text.startsWith(before, offset + quote);
    const column = place.column + (isVerbatim ? quote + before.length : 0);
    const { message, hint } = problem;
    report({ id, severity: "error", message, ...place, column, hint });
  }
  return problems.length === 0;
}
