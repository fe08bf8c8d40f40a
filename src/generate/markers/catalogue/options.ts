import { defineMarkers, type FieldEntry, type MarkerEntry } from "./define.ts";

const HEADER: Readonly<Record<string, FieldEntry>> = {
  headerFile: { type: "string", optional: true, summary: "A file whose text goes to the top of generated files." },
  year: { type: "string", optional: true, summary: 'What replaces " YEAR" in the header.' },
};
const GENERATORS = "generators";

const generators: readonly MarkerEntry[] = [
  {
    name: "crd",
    targets: ["option"],
    category: GENERATORS,
    summary: "Writes CustomResourceDefinitions for the kinds in the packages.",
    fields: {
      ignoreUnexportedFields: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Accepted for habit's sake: fields of TypeScript types are always exported.",
      },
      allowDangerousTypes: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Allows floating-point fields, which clients read differently; default false.",
      },
      maxDescLen: {
        type: "int",
        optional: true,
        nullable: true,
        summary: "The most bytes that a description may have; 0 drops all descriptions.",
        details: "Longer ones end at the last sentence that fits, else at the last word.",
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
        summary: "Gives nested ObjectMeta a schema instead of a bare object; default false.",
      },
      ...HEADER,
      deprecatedV1beta1CompatibilityPreserveUnknownFields: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Writes `spec.preserveUnknownFields` with this value.",
      },
      omitToolVersion: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Leaves out the annotation that names the tool's version; default false.",
      },
    },
  },
  {
    name: "rbac",
    targets: ["option"],
    category: GENERATORS,
    summary: "Writes the roles that the `+kubebuilder:rbac` markers add up to.",
    fields: {
      roleName: { type: "string", summary: "The name of the role, such as `manager-role`." },
      fileName: { type: "string", optional: true, summary: "The name of the file; default `role.yaml`." },
      ...HEADER,
      verify: {
        type: "bool",
        optional: true,
        extension: true,
        summary: "Compares the markers with what the code asks of the API server; default false.",
        details: "Rights that are missing are errors with the marker to add, those that nothing needs are warnings.",
      },
    },
  },
  {
    name: "webhook",
    targets: ["option"],
    category: GENERATORS,
    summary: "Writes the webhook configurations that the `+kubebuilder:webhook` markers declare.",
    fields: HEADER,
  },
  {
    name: "schemapatch",
    targets: ["option"],
    category: GENERATORS,
    summary: "Replaces only the schemas in CRD files that exist already.",
    fields: {
      manifests: { type: "string", summary: "The directory of the CRD files." },
      maxDescLen: {
        type: "int",
        optional: true,
        nullable: true,
        summary: "The most bytes that a description may have; 0 drops all descriptions.",
      },
      generateEmbeddedObjectMeta: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "Gives nested ObjectMeta a schema instead of a bare object; default false.",
      },
    },
  },
  {
    name: "object",
    targets: ["option"],
    category: GENERATORS,
    summary: "Accepted for habit's sake: plain data needs no deep-copy code.",
    fields: HEADER,
  },
  {
    name: "applyconfiguration",
    targets: ["option"],
    category: GENERATORS,
    summary: "Accepted for habit's sake: `client.apply` needs no generated code.",
    fields: {
      headerFile: HEADER.headerFile!,
      externalApplyConfigurations: {
        type: "[]string",
        optional: true,
        summary: "Accepted for habit's sake.",
      },
      omitToolVersion: { type: "bool", optional: true, nullable: true, summary: "Accepted for habit's sake." },
    },
  },
];

const outputRules: readonly MarkerEntry[] = [
  {
    name: "artifacts",
    targets: ["option"],
    category: "output rules (optionally as output:<generator>:...)",
    summary: "Writes manifests to one directory, and code beside its package or to another.",
    fields: {
      config: { type: "string", summary: "The directory of the manifests." },
      code: { type: "string", optional: true, summary: "The directory of code; default is the package's own." },
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
    summary: "Writes nothing: only the diagnostics count.",
  },
  {
    name: "stdout",
    targets: ["option"],
    category: "output rules (optionally as output:<generator>:...)",
    summary: "Prints everything to standard output.",
  },
];

// Only the forms without a generator have a place in help: the others say the same thing seven times.
const outputOptions = outputRules.flatMap((rule) => [
  { ...rule, name: `output:${rule.name}` },
  ...generators.map((generator) => ({ ...rule, name: `output:${generator.name}:${rule.name}`, category: "" })),
]);

/** The generator's command line. */
export const optionMarkers = defineMarkers([
  ...generators,
  ...outputOptions,
  {
    name: "paths",
    targets: ["option"],
    category: "generic",
    value: "[]string",
    summary: "The directories to read, `./...` for all below one; may be given more than once.",
    details: 'Example: `paths="./api/...;./internal/..."`',
  },
]);
