import { definitions } from "../../diagnostics/definitions/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { byBytes } from "../../text/byte-order.ts";
import { argumentPlace, argumentsOf, type Marker, type MarkerArguments, type MarkerValues } from "../markers/index.ts";
import { mergeRules } from "./merge.ts";
import { createRule, type Rule } from "./rule.ts";
import { impossibleValues } from "./values.ts";

/** A rule of a role, in the key names of the Kubernetes API. */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[] | null;
}

/** A ClusterRole, or a Role of one namespace. */
export interface RoleDocument {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRole" | "Role";
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly rules: readonly PolicyRule[];
}

/**
 * Generates the roles, one per namespace and role name, sorted by both with ClusterRoles first. Returns none without
 * markers.
 *
 * @param roleName the role for markers that don't name one: `rbac:roleName=`
 * @param report receives rules that the API server rejects
 */
export function generateRoles(
  packages: Iterable<MarkerValues>,
  roleName: string,
  report: (diagnostic: Diagnostic) => void,
): readonly RoleDocument[] {
  const buckets = new Map<string, { namespace: string; name: string; rules: Rule[] }>();
  for (const markers of packages) {
    for (const marker of markers.get("kubebuilder:rbac")) {
      const value = argumentsOf("kubebuilder:rbac", marker.value);
      for (const diagnostic of lintRule(marker, value)) report(diagnostic);
      const name = value.roleName || roleName;
      const key = JSON.stringify([value.namespace, name]);
      const bucket = buckets.get(key) ?? { namespace: value.namespace, name, rules: [] };
      buckets.set(key, bucket);
      bucket.rules.push(...marker.definition.rules!(marker.value).map(createRule));
    }
  }
  return [...buckets.values()]
    .sort((a, b) => byBytes(a.namespace, b.namespace) || byBytes(a.name, b.name))
    .map(({ namespace, name, rules }) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: namespace === "" ? "ClusterRole" : "Role",
      // As in Go's JSON, an empty string is omitted.
      metadata: { ...(name === "" ? {} : { name }), ...(namespace === "" ? {} : { namespace }) },
      rules: mergeRules(rules).map(policyRule),
    }));
}

/** Reports rules that controller-gen writes although the API server rejects a role with them. */
function lintRule(marker: Marker, value: RbacArguments): Diagnostic[] {
  const { file, line, column } = marker.line;
  const refused = (id: Diagnostic["id"], message: string, hint: string): Diagnostic => ({
    id,
    severity: definitions[id].severity,
    message,
    file,
    line,
    column,
    hint,
  });
  const diagnostics: Diagnostic[] = [];
  if (value.resources && !value.groups) {
    const hint = 'use `groups=""` for the core group';
    diagnostics.push(refused("rbac-without-group", "a rule for resources needs an API group", hint));
  }
  if (!value.verbs)
    diagnostics.push(refused("rbac-without-verb", "a rule without verbs allows nothing", "add `verbs=…`"));
  if (value.urls && (value.resources || value.groups || value.resourceNames)) {
    const hint = "use two markers, one of them for the URLs";
    diagnostics.push(refused("rbac-urls", "a rule can't have both resources and URLs", hint));
  } else if (value.urls && value.namespace !== "") {
    const hint = "remove `namespace` or `urls`";
    diagnostics.push(refused("rbac-urls", "a rule for URLs can't have a namespace", hint));
  } else if (!value.urls && !value.resources) {
    const hint = "add `resources=…`, or `urls=…`";
    diagnostics.push(refused("rbac-without-resource", "a rule needs resources or URLs", hint));
  }
  for (const { argument, message, hint } of impossibleValues(value)) {
    diagnostics.push({ id: "rbac-value", severity: "warning", message, ...argumentPlace(marker, argument), hint });
  }
  return diagnostics;
}

/** The arguments of a `+kubebuilder:rbac` marker. */
export type RbacArguments = MarkerArguments<"kubebuilder:rbac">;

function policyRule(rule: Rule): PolicyRule {
  return {
    ...(rule.groups.length > 0 ? { apiGroups: rule.groups } : {}),
    ...(rule.urls.length > 0 ? { nonResourceURLs: rule.urls } : {}),
    ...(rule.resourceNames.length > 0 ? { resourceNames: rule.resourceNames } : {}),
    ...(rule.resources.length > 0 ? { resources: rule.resources } : {}),
    // A Go slice without elements is null in controller-gen's output.
    verbs: rule.verbs.length > 0 ? rule.verbs : null,
  };
}
