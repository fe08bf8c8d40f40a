import type { JSONSchema } from "../schema/model/json-schema.ts";

/** The parts of a CRD that are compared, as read from YAML that may be hand-written. */
export interface Crd {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, unknown>> };
  readonly spec: {
    readonly scope?: string;
    readonly names?: Readonly<Record<string, unknown>>;
    readonly preserveUnknownFields?: boolean;
    readonly versions?: readonly CrdVersion[];
  };
}

export interface CrdVersion {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly schema?: { readonly openAPIV3Schema?: JSONSchema };
  readonly subresources?: Readonly<Record<string, unknown>>;
}

/** The annotation that contains the version of the generator. */
export const versionAnnotation = "controller-gen.kubebuilder.io/version";

/** Returns whether a YAML document is a CRD with a name. */
export function isCrd(document: unknown): document is Crd {
  if (typeof document !== "object" || document === null) return false;
  const { kind, metadata, spec } = document as { kind?: unknown; metadata?: { name?: unknown }; spec?: unknown };
  return (
    kind === "CustomResourceDefinition" && typeof metadata?.name === "string" && typeof spec === "object" && !!spec
  );
}
