import type { PrinterColumn } from "../../../kubernetes/custom-resource-definition.ts";
import { pluralize } from "../../../kubernetes/plural.ts";
import { typeName } from "../../../kubernetes/type-name.ts";
import { stringLiteral } from "../../../text/typescript.ts";
import { quotedArguments, word } from "../model/words.ts";
import { marker } from "./define.ts";

/** Annotations about the creation of a CRD, which aren't part of its content. */
const passing = /^(controller-gen\.kubebuilder\.io\/version|kubectl\.kubernetes\.io\/last-applied-configuration)$/;

/** Markers on a kind that change its CustomResourceDefinition outside the schema, in the order in which `--from-crd` writes them. */
export const crdMarkers = [
  marker({
    name: "kubebuilder:storageversion",
    targets: ["type"],
    category: "CRD",
    summary: "Makes this version the storage version; a CRD with several versions needs exactly one.",
    crd(_crd, version) {
      version.storage = true;
      return undefined;
    },
    fromCrd: ({ spec }, { storage }) => (storage && spec.versions.length > 1 ? [""] : []),
  }),
  marker({
    name: "kubebuilder:unservedversion",
    targets: ["type"],
    category: "CRD",
    summary: "Disables serving of this version and keeps it in the CRD.",
    crd(_crd, version) {
      version.served = false;
      return undefined;
    },
    // At least one version must be served, so a CRD without one has no marker.
    fromCrd: ({ spec }, { served }) => (served || !spec.versions.some((version) => version.served) ? [] : [""]),
  }),
  marker({
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
    synonyms: [{ tag: "deprecated", write: (text) => (text === "" ? "" : `:warning=${JSON.stringify(text)}`) }],
    crd(_crd, version, { warning }) {
      version.deprecated = true;
      if (warning === null) delete version.deprecationWarning;
      else version.deprecationWarning = warning;
      return undefined;
    },
    fromCrd(_, { deprecated, deprecationWarning: warning }) {
      if (deprecated !== true) return [];
      return [warning === undefined ? "" : quotedArguments({ warning })];
    },
  }),
  marker({
    name: "kubebuilder:skipversion",
    targets: ["type"],
    category: "CRD",
    summary: "Excludes this version from the CRD.",
    skipsVersion: true,
  }),
  marker({
    name: "kubebuilder:subresource:status",
    targets: ["type"],
    category: "CRD",
    summary: "Enables the /status subresource: spec and status are updated separately.",
    crd(_crd, version) {
      version.subresources = { ...version.subresources, status: {} };
      return undefined;
    },
    fromCrd: (_, { subresources }) => (subresources?.status === undefined ? [] : [""]),
  }),
  marker({
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
    crd(_crd, version, { specpath, statuspath, selectorpath }) {
      version.subresources = {
        ...version.subresources,
        scale: {
          specReplicasPath: specpath,
          statusReplicasPath: statuspath,
          ...(selectorpath === null ? {} : { labelSelectorPath: selectorpath }),
        },
      };
      return undefined;
    },
    fromCrd(_, { subresources }) {
      if (subresources?.scale === undefined) return [];
      const { specReplicasPath, statusReplicasPath, labelSelectorPath } = subresources.scale;
      const paths = { specpath: specReplicasPath, statuspath: statusReplicasPath, selectorpath: labelSelectorPath };
      return [quotedArguments(paths) + (labelSelectorPath === "" ? ',selectorpath=""' : "")];
    },
  }),
  marker({
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
      kind: {
        type: "string",
        optional: true,
        extension: true,
        summary: "The kind, if the type has another name, because TypeScript can't use the kind's: `postgresql`.",
      },
    },
    // A later marker replaces the lists of an earlier one.
    crd(crd, _version, { path, singular, shortName, categories, scope }) {
      const { names } = crd.spec;
      if (path !== "") names.plural = path;
      if (singular !== "") names.singular = singular;
      delete names.shortNames;
      delete names.categories;
      if (shortName?.length) names.shortNames = shortName;
      if (categories?.length) names.categories = categories;
      crd.spec.scope = scope || "Namespaced";
      return undefined;
    },
    fromCrd({ spec }) {
      const { kind, plural, singular, shortNames = [], categories = [] } = spec.names;
      const list = (name: string, values: readonly string[]) =>
        values.length === 0 ? [] : [`${name}=${values.map(word).join(";")}`];
      const parts = [
        ...(typeName(kind) === kind ? [] : [`kind=${word(kind)}`]),
        ...(plural === pluralize(kind) ? [] : [`path=${word(plural)}`]),
        ...(singular === undefined || singular === kind.toLowerCase() ? [] : [`singular=${word(singular)}`]),
        ...list("shortName", shortNames),
        ...list("categories", categories),
        ...(spec.scope === "Cluster" ? ["scope=Cluster"] : []),
      ];
      return parts.length === 0 ? [] : [`:${parts.join(",")}`];
    },
  }),
  marker({
    name: "kubebuilder:metadata",
    targets: ["type"],
    category: "CRD",
    summary: "Adds labels and annotations to the CRD.",
    details: 'Example: `+kubebuilder:metadata:labels="team=storage",annotations="docs=https://example.com"`',
    fields: {
      annotations: { type: "[]string", optional: true, summary: "Annotations, each as `key=value`." },
      labels: { type: "[]string", optional: true, summary: "Labels, each as `key=value`." },
    },
    crd(crd, _version, args) {
      for (const [kind, singular] of [
        ["annotations", "annotation"],
        ["labels", "label"],
      ] as const) {
        for (const text of args[kind] ?? []) {
          const equals = text.indexOf("=");
          if (equals < 0) return `${singular} ${text} is not in 'xxx=xxx' format`;
          crd.metadata[kind] = { ...crd.metadata[kind], [text.slice(0, equals)]: text.slice(equals + 1) };
        }
      }
      return undefined;
    },
    fromCrd({ metadata }) {
      const list = (name: string, values: Readonly<Record<string, string>> = {}) => {
        const pairs = Object.entries(values ?? {}).filter(([key]) => !passing.test(key));
        return pairs.length === 0
          ? []
          : [`${name}=${pairs.map(([key, value]) => stringLiteral(`${key}=${value}`)).join(";")}`];
      };
      const parts = [...list("labels", metadata.labels), ...list("annotations", metadata.annotations)];
      return parts.length === 0 ? [] : [`:${parts.join(",")}`];
    },
  }),
  marker({
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
    // As in controller-gen, it also adds `subresources: {}`.
    crd(_crd, version, { name, type, JSONPath: jsonPath, description, format, priority }) {
      version.subresources ??= {};
      const column: PrinterColumn = { name, type, jsonPath };
      if (description !== "") column.description = description;
      if (format !== "") column.format = format;
      if (priority !== 0) column.priority = priority;
      version.additionalPrinterColumns = [...(version.additionalPrinterColumns ?? []), column];
      return undefined;
    },
    fromCrd: (_, { additionalPrinterColumns = [] }) =>
      additionalPrinterColumns.map(({ name, type, jsonPath, description, format, priority }) => {
        const number = priority === undefined || priority === 0 ? "" : `,priority=${priority}`;
        return quotedArguments({ name, type, JSONPath: jsonPath, description, format }) + number;
      }),
  }),
  marker({
    name: "kubebuilder:selectablefield",
    targets: ["type"],
    category: "CRD",
    summary: "Allows a field in field selectors of list and watch requests.",
    details: "Example: `+kubebuilder:selectablefield:JSONPath=.spec.nodeName`",
    fields: { JSONPath: { type: "string", summary: "JSONPath of the field." } },
    crd(_crd, version, { JSONPath: jsonPath }) {
      version.selectableFields = [...(version.selectableFields ?? []), { jsonPath }];
      return undefined;
    },
    fromCrd: (_, { selectableFields = [] }) =>
      selectableFields.map(({ jsonPath }) => quotedArguments({ JSONPath: jsonPath })),
  }),
  marker({
    name: "kubebuilder:externalDocs",
    targets: ["field", "type"],
    category: "CRD",
    summary: "Links to external documentation of this field or type.",
    details: 'Example: `+kubebuilder:externalDocs:url="https://example.com/docs",description="The guide"`',
    fields: {
      url: { type: "string", summary: "The URL of the documentation." },
      description: { type: "string", optional: true, summary: "A description of the documentation." },
    },
    keyword: "externalDocs",
    fromSchema(value) {
      const { url, description } = value as { url?: unknown; description?: unknown };
      const about = description === undefined ? "" : `,description=${stringLiteral(String(description))}`;
      return [`:url=${stringLiteral(String(url))}${about}`];
    },
    schema(schema, { url, description }) {
      if (!/^(\/|[A-Za-z][A-Za-z0-9+.-]*:)\S*$/.test(url)) {
        return `invalid url ${JSON.stringify(url)} in kubebuilder:externalDocs marker`;
      }
      schema.externalDocs = { url, ...(description === "" ? {} : { description }) };
      return undefined;
    },
  }),
] as const;
