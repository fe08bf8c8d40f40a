import { markerEntries } from "./define.ts";

/** Markers on a kind that change its CustomResourceDefinition outside the schema. */
export const crdMarkers = markerEntries([
  {
    name: "kubebuilder:resource",
    targets: ["type"],
    category: "CRD",
    summary: "Sets the resource names and the scope of this kind.",
    details: "Example: `+kubebuilder:resource:path=games,shortName=gm;game,scope=Cluster`",
    fields: {
      path: {
        type: "string",
        optional: true,
        summary: "The plural name, used in URLs and in the CRD's name; by default the kind's plural in lowercase.",
      },
      shortName: { type: "[]string", optional: true, summary: "Short names for kubectl, such as `deploy`." },
      categories: {
        type: "[]string",
        optional: true,
        summary: "Categories, such as `all`: groups of kinds that kubectl lists together.",
      },
      singular: {
        type: "string",
        optional: true,
        summary: "The singular name; by default the kind in lowercase.",
      },
      scope: { type: "string", optional: true, summary: "`Namespaced` (the default) or `Cluster`." },
    },
  },
  {
    name: "kubebuilder:subresource:status",
    targets: ["type"],
    category: "CRD",
    summary: "Enables the /status subresource: spec and status are updated separately.",
  },
  {
    name: "kubebuilder:subresource:scale",
    targets: ["type"],
    category: "CRD",
    summary: "Enables the /scale subresource, which `kubectl scale` and autoscalers use.",
    details:
      "Example: `+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector`",
    fields: {
      specpath: { type: "string", summary: "JSONPath of the desired number of replicas." },
      statuspath: { type: "string", summary: "JSONPath of the actual number of replicas." },
      selectorpath: {
        type: "string",
        optional: true,
        nullable: true,
        summary: "JSONPath of the pods' label selector, serialized as a string; a HorizontalPodAutoscaler requires it.",
      },
    },
  },
  {
    name: "kubebuilder:printcolumn",
    targets: ["type"],
    category: "CRD",
    summary: "Adds a column to the output of `kubectl get` for this kind.",
    details: 'Example: `+kubebuilder:printcolumn:name="Phase",type="string",JSONPath=".status.phase"`',
    fields: {
      name: { type: "string", summary: "The column header." },
      type: { type: "string", summary: "`string`, `integer`, `number`, `boolean` or `date`." },
      JSONPath: { type: "string", summary: "JSONPath of the value, such as `.status.phase`." },
      description: { type: "string", optional: true, summary: "A description of the column." },
      format: { type: "string", optional: true, summary: "An OpenAPI format for the value, such as `int32`." },
      priority: {
        type: "int32",
        optional: true,
        summary: "Columns with priority 0 are always shown, others only by `kubectl get -o wide`.",
      },
    },
  },
  {
    name: "kubebuilder:selectablefield",
    targets: ["type"],
    category: "CRD",
    summary: "Allows a field in field selectors of list and watch requests.",
    details: "Example: `+kubebuilder:selectablefield:JSONPath=.spec.nodeName`",
    fields: { JSONPath: { type: "string", summary: "JSONPath of the field." } },
  },
  {
    name: "kubebuilder:storageversion",
    targets: ["type"],
    category: "CRD",
    summary: "Makes this version the storage version; a CRD with several versions needs exactly one.",
  },
  {
    name: "kubebuilder:unservedversion",
    targets: ["type"],
    category: "CRD",
    summary: "Disables serving of this version and keeps it in the CRD.",
  },
  {
    name: "kubebuilder:deprecatedversion",
    targets: ["type"],
    category: "CRD",
    summary: "Marks this version as deprecated: the API server warns clients that use it.",
    fields: {
      warning: {
        type: "string",
        optional: true,
        nullable: true,
        summary: "The warning; by default a standard text of the API server.",
      },
    },
  },
  {
    name: "kubebuilder:skipversion",
    targets: ["type"],
    category: "CRD",
    summary: "Excludes this version from the CRD.",
  },
  {
    name: "kubebuilder:metadata",
    targets: ["type"],
    category: "CRD",
    summary: "Adds labels and annotations to the CRD.",
    details: 'Example: `+kubebuilder:metadata:labels="team=storage",annotations="docs=https://example.com"`',
    fields: {
      annotations: { type: "[]string", optional: true, summary: "Annotations, each as `key=value`." },
      labels: { type: "[]string", optional: true, summary: "Labels, each as `key=value`." },
    },
  },
  {
    name: "kubebuilder:externalDocs",
    targets: ["field", "type"],
    category: "CRD",
    summary: "Links to external documentation of this field or type.",
    details: 'Example: `+kubebuilder:externalDocs:url="https://example.com/docs",description="The guide"`',
    fields: {
      url: { type: "string", summary: "The URL of the documentation." },
      description: { type: "string", optional: true, summary: "A description of the documentation." },
    },
  },
]);
