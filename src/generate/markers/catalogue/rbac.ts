import { defineMarkers } from "./define.ts";

/** What a controller may do. */
export const rbacMarkers = defineMarkers([
  {
    name: "kubebuilder:rbac",
    targets: ["package"],
    category: "RBAC",
    summary: "Grants the operator a permission; all of them together make its role.",
    details:
      "Example: `+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch`. Rules are merged, so each controller can name all it needs.",
    fields: {
      groups: {
        type: "[]string",
        optional: true,
        summary: 'The API groups; the core group is `""` or `core`.',
      },
      resources: {
        type: "[]string",
        optional: true,
        summary: "The resources in their plural, subresources with a slash: `pods`, `deployments/status`.",
      },
      resourceNames: {
        type: "[]string",
        optional: true,
        summary: "Restricts the rule to objects of these names.",
        details: "It can't restrict `create`: the name is not known yet when the request is checked.",
      },
      verbs: { type: "[]string", summary: "What may be done: `get;list;watch;create;update;patch;delete`, or `*`." },
      urls: { type: "[]string", optional: true, summary: "Paths that are no resources, such as `/metrics`." },
      namespace: {
        type: "string",
        optional: true,
        summary: "Puts the rule into a Role of this namespace; without it, it goes into the ClusterRole.",
      },
      roleName: {
        type: "string",
        optional: true,
        summary: "Puts the rule into a role of this name instead of the one that `rbac:roleName=` gives.",
      },
    },
  },
]);
