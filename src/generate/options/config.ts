/** Text for the top of generated files. */
export interface HeaderOptions {
  /** Path of a file with the text. */
  readonly headerFile?: string;
  /** Replaces ` YEAR` in it; empty when not given, as in the reference. */
  readonly year: string;
}

export interface CrdOptions extends HeaderOptions {
  readonly ignoreUnexportedFields: boolean;
  readonly allowDangerousTypes: boolean;
  /** Bytes; 0 drops descriptions, undefined or negative is no limit. */
  readonly maxDescLen?: number;
  readonly generateEmbeddedObjectMeta: boolean;
  /** The value of `spec.preserveUnknownFields`, if that is to be written. */
  readonly preserveUnknownFields?: boolean;
  readonly omitToolVersion: boolean;
}

export interface RbacOptions extends HeaderOptions {
  readonly roleName: string;
  readonly fileName: string;
  /** Compares the markers with what the code does. */
  readonly verify?: true;
}

export type WebhookOptions = HeaderOptions;

export interface SchemaPatchOptions {
  /** Directory of the CRD files. */
  readonly manifests: string;
  readonly maxDescLen?: number;
  readonly generateEmbeddedObjectMeta: boolean;
}

/** The generators that were asked for, each with its options. */
export interface GeneratorOptions {
  readonly crd?: CrdOptions;
  readonly rbac?: RbacOptions;
  readonly webhook?: WebhookOptions;
  readonly schemapatch?: SchemaPatchOptions;
  /** Go-only; asked for out of habit. */
  readonly object?: Readonly<Record<string, never>>;
  readonly applyconfiguration?: Readonly<Record<string, never>>;
}

export type GeneratorName = keyof GeneratorOptions;

/** Where a generator's documents go. Directories are as written, relative to the working directory. */
export type OutputRule =
  | { readonly kind: "dir"; readonly directory: string }
  | { readonly kind: "artifacts"; readonly config: string; readonly code?: string }
  | { readonly kind: "stdout" }
  | { readonly kind: "none" };

/** A run of the generator, as its command line describes it. Plain and complete: no defaults are left to fill in. */
export interface GeneratorConfig {
  /** As written; empty means the working directory's package. */
  readonly paths: readonly string[];
  readonly generators: GeneratorOptions;
  /** The rule for each generator that was asked for. */
  readonly output: Readonly<Partial<Record<GeneratorName, OutputRule>>>;
}

/** What is wrong with the command line, or (a warning) not as it looks. */
export interface OptionProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
}
