import type { FieldEntry, MarkerEntry } from "./define.ts";

const HEADER: Readonly<Record<string, FieldEntry>> = {
  headerFile: { type: "string", optional: true, summary: "A file with the header of generated files." },
  year: { type: "string", optional: true, summary: 'The replacement for " YEAR" in the header.' },
};
const GENERATORS = "generators";

const generators: readonly MarkerEntry[] = [
  {
    name: "crd",
    targets: ["option"],
    category: GENERATORS,
    summary: "Generates CustomResourceDefinitions for the kinds in the packages.",
    fields: {
      ignoreUnexportedFields: {
        type: "bool",
        optional: true,
        nullable: true,
        summary:
          "Has no effect, because all fields of TypeScript types are exported; accepted for controller-gen compatibility.",
      },
      allowDangerousTypes: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Allows floating-point fields, which clients parse differently; default false.",
      },
      maxDescLen: {
        type: "int",
        optional: true,
        nullable: true,
        summary: "The maximum length of descriptions in bytes; 0 drops all descriptions.",
        details: "Longer descriptions are cut after the last sentence that fits, or after the last word.",
      },
      crdVersions: {
        type: "[]string",
        optional: true,
        summary: "The versions of the CustomResourceDefinition object; `v1` is the only one.",
      },
      generateEmbeddedObjectMeta: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Generates a schema for embedded ObjectMeta; default false.",
      },
      ...HEADER,
      deprecatedV1beta1CompatibilityPreserveUnknownFields: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Sets `spec.preserveUnknownFields` to this value.",
      },
      omitToolVersion: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Omits the annotation with the generator's version; default false.",
      },
    },
  },
  {
    name: "rbac",
    targets: ["option"],
    category: GENERATORS,
    summary: "Generates RBAC roles from `+kubebuilder:rbac` markers.",
    fields: {
      roleName: { type: "string", summary: "The name of the role, such as `manager-role`." },
      fileName: { type: "string", optional: true, summary: "The name of the file; default `role.yaml`." },
      ...HEADER,
      verify: {
        type: "bool",
        optional: true,
        extension: true,
        summary: "Compares the markers with the API calls in the code; default false.",
        details:
          "Missing permissions are errors and show the marker to add; permissions that no code needs are warnings.",
      },
    },
  },
  {
    name: "webhook",
    targets: ["option"],
    category: GENERATORS,
    summary: "Generates webhook configurations from `+kubebuilder:webhook` markers.",
    fields: HEADER,
  },
  {
    name: "schemapatch",
    targets: ["option"],
    category: GENERATORS,
    summary: "Updates the schemas in existing CRD files and preserves everything else.",
    fields: {
      manifests: { type: "string", summary: "The directory of the CRD files." },
      maxDescLen: {
        type: "int",
        optional: true,
        nullable: true,
        summary: "The maximum length of descriptions in bytes; 0 drops all descriptions.",
      },
      generateEmbeddedObjectMeta: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Generates a schema for embedded ObjectMeta; default false.",
      },
    },
  },
  {
    name: "jsonschema",
    targets: ["option"],
    extension: true,
    category: GENERATORS,
    summary: "Generates JSON Schemas of the kinds, for editors, kubeconform and other validators.",
    details: "Writes `schemas/<group>/<kind>_<version>.json` and `schemas/all.json`.",
    fields: {
      strict: {
        type: "bool",
        optional: true,
        extension: true,
        summary: "Reports fields that the API server would remove as errors; default true.",
      },
      descriptions: {
        type: "bool",
        optional: true,
        extension: true,
        summary: "Includes the descriptions of fields; default true.",
      },
    },
  },
  {
    name: "apidocs",
    targets: ["option"],
    extension: true,
    category: GENERATORS,
    summary: "Generates the API reference of the kinds, in Markdown or HTML.",
    details: "Writes `docs/api/index.md` or `docs/api/index.html`; with `mode=group`, one file per API group.",
    fields: {
      format: {
        type: "[]string",
        optional: true,
        extension: true,
        summary: "The formats, `markdown`, `html` or both; default `markdown`.",
      },
      config: {
        type: "string",
        optional: true,
        extension: true,
        summary: "A file with settings of crd-ref-docs; default docs/api/config.yaml, if it exists.",
      },
      mode: {
        type: "string",
        optional: true,
        extension: true,
        summary: "`single` for one page, or `group` for a page per API group; default `single`.",
      },
      title: { type: "string", optional: true, extension: true, summary: "The title; default `API Reference`." },
    },
  },
  {
    name: "monitoring",
    targets: ["option"],
    extension: true,
    category: GENERATORS,
    summary: "Generates alerts with tests and runbooks, and a Grafana dashboard, for the metrics of the operator.",
    details:
      "Writes `config/monitoring/` and `docs/runbooks/`. The settings are in `config/monitoring/monitoring.yaml`.",
    fields: {
      runbookURL: {
        type: "string",
        optional: true,
        extension: true,
        summary: "The address of the runbooks in alerts; default that of the repository in package.json.",
      },
      runbooks: {
        type: "string",
        optional: true,
        extension: true,
        summary: "The directory of the runbooks; default docs/runbooks.",
      },
    },
  },
  {
    name: "policy",
    targets: ["option"],
    extension: true,
    category: GENERATORS,
    summary: "Generates ValidatingAdmissionPolicies from `+kubewright:policy` markers.",
    details: "Writes `config/policy/`, which `config/default` lists.",
    fields: {},
  },
  {
    name: "object",
    targets: ["option"],
    category: GENERATORS,
    summary: "Has no effect, because TypeScript needs no deep-copy code; accepted for controller-gen compatibility.",
    fields: HEADER,
  },
  {
    name: "applyconfiguration",
    targets: ["option"],
    category: GENERATORS,
    summary:
      "Has no effect, because `client.apply` needs no generated code; accepted for controller-gen compatibility.",
    fields: {
      headerFile: HEADER.headerFile!,
      externalApplyConfigurations: {
        type: "[]string",
        optional: true,
        summary: "Has no effect; accepted for controller-gen compatibility.",
      },
      omitToolVersion: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Has no effect; accepted for controller-gen compatibility.",
      },
    },
  },
];

const outputRules: readonly MarkerEntry[] = [
  {
    name: "artifacts",
    targets: ["option"],
    category: "output rules (optionally as output:<generator>:...)",
    summary: "Writes manifests to one directory, and code next to its package or to another directory.",
    fields: {
      config: { type: "string", summary: "The directory of the manifests." },
      code: { type: "string", optional: true, summary: "The directory of code; by default the package's own." },
    },
  },
  {
    name: "dir",
    targets: ["option"],
    category: "output rules (optionally as output:<generator>:...)",
    value: "string",
    summary: "Writes everything to this directory.",
  },
  {
    name: "none",
    targets: ["option"],
    category: "output rules (optionally as output:<generator>:...)",
    summary: "Writes nothing; only reports diagnostics.",
  },
  {
    name: "stdout",
    targets: ["option"],
    category: "output rules (optionally as output:<generator>:...)",
    summary: "Prints everything to standard output.",
  },
];

// The help lists only the forms without a generator: the others would repeat the same text for each generator.
const outputOptions = outputRules.flatMap((rule) => [
  { ...rule, name: `output:${rule.name}` },
  ...generators.map(({ name, extension }) => ({
    ...rule,
    name: `output:${name}:${rule.name}`,
    category: "",
    ...(extension ? { extension } : {}),
  })),
]);

export const optionMarkers: readonly MarkerEntry[] = [
  ...generators,
  ...outputOptions,
  {
    name: "paths",
    targets: ["option"],
    category: "generic",
    value: "[]string",
    summary: "The directories to read; `./...` includes subdirectories. Can be repeated.",
    details: 'Example: `paths="./api/...;./internal/..."`',
  },
];
