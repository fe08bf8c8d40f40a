import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

const rbac = "rbac.authorization.k8s.io/v1";
const rules = { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] };

const roleRules = each(
  "rules",
  [],
  [{}],
  [{ verbs: ["get"] }],
  [{ verbs: ["get"], apiGroups: [""] }],
  [{ verbs: ["get"], resources: ["pods"] }],
  [{ verbs: ["get"], nonResourceURLs: ["/a"] }],
  [{ verbs: ["get"], nonResourceURLs: ["/a"], apiGroups: [""], resources: ["pods"] }],
);
const roleReferences = {
  ...each(
    "roleRef",
    undefined,
    { kind: "Other", name: "a" },
    { kind: "ClusterRole", name: "" },
    { kind: "ClusterRole", name: "a/b" },
    {
      apiGroup: "x",
      kind: "ClusterRole",
      name: "a",
    },
    { kind: "Role", name: "a" },
  ),
  ...each(
    "subjects",
    [],
    [{}],
    [{ kind: "User", name: "" }],
    [{ kind: "User", name: "a", apiGroup: "x" }],
    [{ kind: "Group", name: "a" }],
    [{ kind: "ServiceAccount", name: "a" }],
    [{ kind: "ServiceAccount", name: "A b", namespace: "x" }],
    [{ kind: "ServiceAccount", name: "a", namespace: "x", apiGroup: "y" }],
    [{ kind: "Other", name: "a" }],
  ),
};

/** The cases of roles and their bindings. */
export const accessKinds: KindCases[] = [
  {
    ...kind(rbac, "Role", rules),
    creations: { ...roleRules, ...each("metadata/name", "a/b", "A:b%") },
    updates: roleRules,
  },
  {
    ...kind(rbac, "ClusterRole", rules, false),
    creations: {
      ...roleRules,
      ...each(
        "aggregationRule",
        {},
        { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] },
        { clusterRoleSelectors: [{ matchLabels: { a: "c" } }] },
      ),
    },
  },
  {
    ...kind(rbac, "RoleBinding", {
      roleRef: { kind: "ClusterRole", name: "view" },
      subjects: [{ kind: "User", name: "a" }],
    }),
    creations: roleReferences,
    updates: { ...each("roleRef", { kind: "ClusterRole", name: "edit" }), ...each("subjects", []) },
  },
  {
    ...kind(
      rbac,
      "ClusterRoleBinding",
      { roleRef: { kind: "ClusterRole", name: "view" }, subjects: [{ kind: "User", name: "a" }] },
      false,
    ),
    creations: roleReferences,
    updates: each("roleRef", { kind: "ClusterRole", name: "edit" }),
  },
];
