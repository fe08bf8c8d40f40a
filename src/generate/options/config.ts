/** Options for the header of generated files. */
export interface HeaderOptions {
  /** The path of the file with the header. */
  readonly headerFile?: string;
  /** Replaces ` YEAR` in the header; empty by default, as in controller-gen. */
  readonly year: string;
}

export interface CrdOptions extends HeaderOptions {
  readonly ignoreUnexportedFields: boolean;
  readonly allowDangerousTypes: boolean;
  /** Maximum length in bytes; 0 drops descriptions, undefined or a negative value sets no limit. */
  readonly maxDescLen?: number;
  readonly generateEmbeddedObjectMeta: boolean;
  /** The value of `spec.preserveUnknownFields`; by default the field is omitted. */
  readonly preserveUnknownFields?: boolean;
  readonly omitToolVersion: boolean;
}

export interface RbacOptions extends HeaderOptions {
  readonly roleName: string;
  readonly fileName: string;
  /** Compares the markers with the API calls in the code. */
  readonly verify?: true;
}

export type WebhookOptions = HeaderOptions;

export interface SchemaPatchOptions {
  /** The directory of the CRD files. */
  readonly manifests: string;
  readonly maxDescLen?: number;
  readonly generateEmbeddedObjectMeta: boolean;
}

export interface JsonSchemaOptions {
  /** Whether fields that the API server would remove are errors. */
  readonly strict: boolean;
  readonly descriptions: boolean;
}

export interface ApiDocsOptions {
  readonly formats: readonly ApiDocsFormat[];
  /** The path of the configuration; empty for docs/api/config.yaml, if it exists. */
  readonly config: string;
  /** Whether the reference is one page, or has a page per API group. */
  readonly mode: "single" | "group";
  readonly title: string;
}

/** A format of the API reference. */
export type ApiDocsFormat = "markdown" | "html";

export interface MonitoringOptions {
  /** The address of the directory of the runbooks; empty for that of the repository in package.json. */
  readonly runbookURL: string;
  /** The directory of the runbooks. */
  readonly runbooks: string;
}

/** The requested generators with their options. */
export interface GeneratorOptions {
  readonly crd?: CrdOptions;
  readonly rbac?: RbacOptions;
  readonly webhook?: WebhookOptions;
  readonly schemapatch?: SchemaPatchOptions;
  readonly jsonschema?: JsonSchemaOptions;
  readonly apidocs?: ApiDocsOptions;
  readonly monitoring?: MonitoringOptions;
  readonly policy?: Readonly<Record<string, never>>;
  /** For Go only; has no effect. */
  readonly object?: Readonly<Record<string, never>>;
  readonly applyconfiguration?: Readonly<Record<string, never>>;
}

export type GeneratorName = keyof GeneratorOptions;

/** The destination of a generator's documents. Directories are as given, relative to the working directory. */
export type OutputRule =
  | { readonly kind: "dir"; readonly directory: string }
  | { readonly kind: "artifacts"; readonly config: string; readonly code?: string }
  | { readonly kind: "stdout" }
  | { readonly kind: "none" };

/** The parsed options of `scaffold generate`, with all defaults applied. */
export interface GeneratorConfig {
  /** As given; empty means the package in the working directory. */
  readonly paths: readonly string[];
  readonly generators: GeneratorOptions;
  /** The output rule of each requested generator. */
  readonly output: Readonly<Partial<Record<GeneratorName, OutputRule>>>;
}

/** A problem with an option: an error, or a warning about a value that is read differently than it looks. */
export interface OptionProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
}
