import { marker } from "./define.ts";

/** Markers for the operator's permissions. */
export const rbacMarkers = [
  marker({
    name: "kubebuilder:rbac",
    targets: ["package"],
    category: "RBAC",
    summary: "Adds a permission to the operator's role.",
    details:
      "Example: `+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch`. Rules are merged, so each controller can list all permissions that it needs.",
    fields: {
      groups: {
        type: "[]string",
        optional: true,
        summary: 'The API groups; the core group is `""` or `core`.',
      },
      resources: {
        type: "[]string",
        optional: true,
        summary: "The resources in plural, with subresources after a slash: `pods`, `deployments/status`.",
      },
      resourceNames: {
        type: "[]string",
        optional: true,
        summary: "Restricts the rule to objects with these names.",
        details:
          "Can't restrict `create`, because the API server doesn't know the name when it authorizes the request.",
      },
      verbs: { type: "[]string", summary: "The allowed verbs: `get;list;watch;create;update;patch;delete`, or `*`." },
      urls: { type: "[]string", optional: true, summary: "Non-resource URLs, such as `/metrics`." },
      namespace: {
        type: "string",
        optional: true,
        summary: "Adds the rule to a Role in this namespace; by default it is added to the ClusterRole.",
      },
      roleName: {
        type: "string",
        optional: true,
        summary: "Adds the rule to a role with this name instead of the one in `rbac:roleName=`.",
      },
    },
    isPackageWide: true,
    rules({ groups, resources, resourceNames, urls, verbs }) {
      const rule = {
        groups: groups ?? [],
        resources: [],
        resourceNames: resourceNames ?? [],
        urls: urls ?? [],
        verbs: verbs ?? [],
      };
      return resources ? resources.map((resource) => ({ ...rule, resources: [resource] })) : [rule];
    },
  }),
] as const;
