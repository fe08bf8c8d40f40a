// An API as plain data, from which both Go and TypeScript are generated, and which is easy to shrink.

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
  /** A reference to a declaration of this API. */
  | { kind: "declared"; package: string; name: string }
  /** A built-in type; see core-types.ts. */
  | { kind: "core"; name: string }
  /** Go's `*T`. */
  | { kind: "pointer"; to: Type };

/** Comments and markers above a declaration or a field. */
export interface Comments {
  /** The lines of its text. */
  doc: string[];
  /** Without the `+`. */
  markers: string[];
  /** Markers in a separate comment above, with an empty line in between. */
  above: string[];
  /** The TypeScript comment style; see comments.ts. */
  style: number;
}

export interface Field extends Comments {
  name: string;
  type: Type;
  optional: boolean;
  /** Values that TypeScript writes as a union, and Go as an Enum marker. */
  union?: (string | number)[];
  /** Whether TypeScript writes `| null`, and Go `+nullable`. */
  orNull?: boolean;
}

export interface Struct extends Comments {
  kind: "struct";
  name: string;
  embeds: Type[];
  fields: Field[];
  /** The form of the declaration in TypeScript. */
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
  /** Set for types with type and object metadata; whether the object metadata is required. */
  root?: { metadataRequired: boolean };
}

export interface Named extends Comments {
  kind: "named";
  name: string;
  type: Type;
  /** String constants; `k8s` if the marker k8s:enum finds them, otherwise the marker Enum lists them. */
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
