import { defineMarkers } from "./define.ts";

/** Markers on a kind that shape its CustomResourceDefinition outside the schema. */
export const crdMarkers = defineMarkers([
  {
    name: "kubebuilder:resource",
    targets: ["type"],
    category: "CRD",
    summary: "Sets the names under which the API server offers this kind, and its scope.",
    details: "Example: `+kubebuilder:resource:path=games,shortName=gm;game,scope=Cluster`",
    fields: {
      path: {
        type: "string",
        optional: true,
        summary: "The plural name in URLs and in the CRD's own name; the default is the kind's plural in lower case.",
      },
      shortName: { type: "[]string", optional: true, summary: "Short names for kubectl, such as `deploy`." },
      categories: {
        type: "[]string",
        optional: true,
        summary: "Groups of kinds that kubectl lists together, such as `all`.",
      },
      singular: {
        type: "string",
        optional: true,
        summary: "The singular name; the default is the kind in lower case.",
      },
      scope: { type: "string", optional: true, summary: "`Namespaced`, which is the default, or `Cluster`." },
    },
  },
  {
    name: "kubebuilder:subresource:status",
    targets: ["type"],
    category: "CRD",
    summary: "Gives this kind the /status subresource, so that status and spec are written separately.",
  },
  {
    name: "kubebuilder:subresource:scale",
    targets: ["type"],
    category: "CRD",
    summary: "Gives this kind the /scale subresource, which `kubectl scale` and autoscalers use.",
    details:
      "Example: `+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector`",
    fields: {
      specpath: { type: "string", summary: "JSONPath of the number of replicas that is asked for." },
      statuspath: { type: "string", summary: "JSONPath of the number of replicas that there are." },
      selectorpath: {
        type: "string",
        optional: true,
        nullable: true,
        summary: "JSONPath of the pods' label selector in its string form; a HorizontalPodAutoscaler needs it.",
      },
    },
  },
  {
    name: "kubebuilder:printcolumn",
    targets: ["type"],
    category: "CRD",
    summary: "Adds a column to what `kubectl get` prints of this kind.",
    details: 'Example: `+kubebuilder:printcolumn:name="Phase",type="string",JSONPath=".status.phase"`',
    fields: {
      name: { type: "string", summary: "The column's heading." },
      type: { type: "string", summary: "`string`, `integer`, `number`, `boolean` or `date`." },
      JSONPath: { type: "string", summary: "Where the value stands in the object, such as `.status.phase`." },
      description: { type: "string", optional: true, summary: "What the column shows." },
      format: { type: "string", optional: true, summary: "An OpenAPI format for the value, such as `int32`." },
      priority: {
        type: "int32",
        optional: true,
        summary: "0 is always shown; a column with a higher number only by `kubectl get -o wide`.",
      },
    },
  },
  {
    name: "kubebuilder:selectablefield",
    targets: ["type"],
    category: "CRD",
    summary: "Allows a field in field selectors of list and watch requests.",
    details: "Example: `+kubebuilder:selectablefield:JSONPath=.spec.nodeName`",
    fields: { JSONPath: { type: "string", summary: "Where the field stands in the object." } },
  },
  {
    name: "kubebuilder:storageversion",
    targets: ["type"],
    category: "CRD",
    summary: "Makes this version the one in which objects are stored; exactly one of several must be it.",
  },
  {
    name: "kubebuilder:unservedversion",
    targets: ["type"],
    category: "CRD",
    summary: "Keeps this version in the CRD without serving it.",
  },
  {
    name: "kubebuilder:deprecatedversion",
    targets: ["type"],
    category: "CRD",
    summary: "Marks this version as deprecated: clients that use it get a warning.",
    fields: {
      warning: {
        type: "string",
        optional: true,
        nullable: true,
        summary: "The text of the warning; without it the API server writes one.",
      },
    },
  },
  {
    name: "kubebuilder:skipversion",
    targets: ["type"],
    category: "CRD",
    summary: "Leaves this version out of the CRD.",
  },
  {
    name: "kubebuilder:metadata",
    targets: ["type"],
    category: "CRD",
    summary: "Adds labels and annotations to the CRD itself.",
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
    summary: "Points to documentation of this field or type outside the schema.",
    details: 'Example: `+kubebuilder:externalDocs:url="https://example.com/docs",description="The guide"`',
    fields: {
      url: { type: "string", summary: "Where the documentation is." },
      description: { type: "string", optional: true, summary: "What one finds there." },
    },
  },
]);
