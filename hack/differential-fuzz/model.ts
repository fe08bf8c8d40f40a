// An API, neither in Go nor in TypeScript: plain data from which both are written, and which is easy to make smaller.

export type ScalarName =
  | "string"
  | "bool"
  | "int"
  | "int8"
  | "int16"
  | "uint16"
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "float32"
  | "float64"
  | "bytes";

export type Type =
  | { kind: "scalar"; name: ScalarName }
  | { kind: "list"; of: Type }
  | { kind: "map"; of: Type; key?: Type }
  /** A declaration of this API. */
  | { kind: "declared"; package: string; name: string }
  /** A type of Kubernetes: see core-types.ts. */
  | { kind: "core"; name: string }
  /** Go's `*T`. */
  | { kind: "pointer"; to: Type };

/** Comments and markers above a declaration or a field. */
export interface Comments {
  /** The lines of its text. */
  doc: string[];
  /** Without the `+`. */
  markers: string[];
  /** In a comment of their own above it, with a blank line between. */
  above: string[];
  /** How TypeScript writes it: see comments.ts. */
  style: number;
}

export interface Field extends Comments {
  name: string;
  type: Type;
  optional: boolean;
  /** TypeScript writes the values as a union, Go as an Enum marker. */
  union?: (string | number)[];
  /** TypeScript writes `| null`, Go `+nullable`. */
  orNull?: boolean;
}

export interface Struct extends Comments {
  kind: "struct";
  name: string;
  embeds: Type[];
  fields: Field[];
  /** How TypeScript writes it. */
  form:
    | "interface"
    | "merged"
    | "alias"
    | "intersection"
    | "class"
    | "constructor"
    | "pick"
    | "omit"
    | "mapped"
    | "namespace"
    | "generic";
  /** It has type and object metadata; whether the latter is required. */
  root?: { metadataRequired: boolean };
}

export interface Named extends Comments {
  kind: "named";
  name: string;
  type: Type;
  /** String constants; `k8s` when the marker k8s:enum finds them, else the marker Enum lists them. */
  values?: string[];
  k8s?: boolean;
}

export type Declaration = Struct | Named;

export interface Package {
  /** Relative to the case: `v1`, `shared/base`. */
  path: string;
  markers: string[];
  declarations: Declaration[];
}

export interface Case {
  id: string;
  packages: Package[];
}

/** Options of the generator "crd". */
export interface Options {
  maxDescLen?: number;
  generateEmbeddedObjectMeta?: boolean;
  allowDangerousTypes?: boolean;
  ignoreUnexportedFields?: boolean;
  omitToolVersion?: boolean;
  deprecatedV1beta1CompatibilityPreserveUnknownFields?: boolean;
  header?: string;
  year?: string;
}
