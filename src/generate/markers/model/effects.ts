import type { CrdVersion, CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";
import type { JsonObject } from "../../../kubernetes/json.ts";
import type { JSONSchema } from "../../../kubernetes/json-schema.ts";

/** The target of a marker that changes a schema. */
export interface SchemaContext {
  readonly target: "type" | "field";
  /** The name of the type, if the target is a type. */
  readonly typeName?: string;
  /** Whether the schema is a reference to a type with properties, which the schema itself doesn't contain. */
  readonly refersToObject?: boolean;
}

/** The settings of a package. Its first marker for a setting takes precedence. */
export interface PackageSettings {
  group?: string;
  version?: string;
  /** Whether the package has no CRDs, although its types can be used. */
  isSkipped?: boolean;
  /** Whether fields without a marker are optional. */
  isOptionalByDefault?: boolean;
}

/** The turns of effects on a schema: lower turns first, equal ones in source order. Others depend on early effects. */
export const turns = {
  type: 8,
  early: 9,
  usual: 10,
  atMostOne: 11,
  exactlyOne: 12,
  atLeastOne: 13,
  items: 100,
} as const;

/** A rule of a role, as sets in any order. */
export interface PermissionRule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly urls: readonly string[];
  readonly verbs: readonly string[];
}

/** A JSDoc tag with the same meaning as a marker. */
export interface Synonym {
  readonly tag: string;
  /** Whether the text must be JSON, and a warning reports other texts. Without the warning, other texts have no effect. */
  readonly json?: "required" | "optional";
  /** Returns the marker's text after its name, by default `=` and the text of the tag; undefined if it has no effect. */
  write?(text: string): string | undefined;
}

/**
 * The effects of a marker. `Value` is the value of its anonymous argument, or an object with its named arguments. Effects
 * that can fail return a message then.
 */
export interface MarkerEffects<Value> {
  /** The keyword of the schema that the marker sets. */
  readonly keyword?: keyof JSONSchema;
  /** Returns a message if the marker can't be applied. */
  check?(schema: JSONSchema, value: Value, context: SchemaContext): string | undefined;
  /** Changes the schema of a type or field; by default, sets {@link keyword} to the value if {@link check} passes. */
  schema?(schema: JSONSchema, value: Value, context: SchemaContext): string | undefined;
  /** The turn of {@link schema}; by default {@link turns.usual}. */
  readonly turn?: number;
  /** Changes the schema of the object that contains the field. */
  parent?(parent: JSONSchema, field: string): void;
  /** Whether the field is required. Deprecated markers take precedence over others, and `false` over `true`. */
  readonly requires?: boolean;
  /** Omits the schema of the field's type. */
  readonly isSchemaless?: true;
  /** Whether the value lists fields that exclude each other, so that none of them can be required. */
  readonly isOneOf?: true;
  /** Changes the CRD of a kind, or the version of the CRD that the kind is. */
  crd?(crd: CustomResourceDefinition, version: CrdVersion, value: Value): string | undefined;
  /** Removes the version from the CRD, after the effects of its other markers. */
  readonly skipsVersion?: true;
  /** Whether the type must be a kind if the value is `true`. */
  readonly declaresKind?: true;
  /** JSDoc tags with the same meaning. */
  readonly synonyms?: readonly Synonym[];
  /**
   * Returns markers for a value of {@link keyword} in an existing CRD, each as the text after the name. Returns undefined if
   * the marker can't express the value. The default depends on the type of the marker's argument.
   */
  fromSchema?(value: unknown, schema: JSONSchema): readonly string[] | undefined;
  /** Returns markers for an existing CRD, each as the text after the name. */
  fromCrd?(crd: CustomResourceDefinition, version: CrdVersion): readonly string[];
  /** Changes the settings of a package. */
  package?(settings: PackageSettings, value: Value): void;
  /** Returns the rules for a role, one per resource, so that each can be merged with others for the same resource. */
  rules?(value: Value): readonly PermissionRule[];
  /** Returns the webhook before its patch. Null values are absent; checks report wrong values. */
  webhook?(value: Value): JsonObject;
  /** Applies to the package even if it is on a declaration, because Go users often attach it to one. */
  readonly isPackageWide?: true;
  /** Has no effect, and is accepted on any target. */
  readonly isAcceptedAnywhere?: true;
}
