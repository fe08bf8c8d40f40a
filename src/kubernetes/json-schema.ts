import type { Limits } from "./limits.ts";

/** A JSON value in a document; integers beyond 2^53 are bigints. */
export type JSONValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JSONValue[]
  | { readonly [key: string]: JSONValue };

/** A CEL rule in a CRD's form. */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

/**
 * The schema of a CRD. An absent key has the zero value: no key is set to undefined, "", false or an empty list. Schemas share
 * nodes, so treat them as read-only once they are built.
 */
export interface JSONSchema extends Limits {
  $ref?: string;
  type?: string;
  format?: string;
  title?: string;
  description?: string;
  default?: JSONValue;
  example?: JSONValue;
  externalDocs?: { url: string; description?: string };
  enum?: readonly JSONValue[];
  nullable?: boolean;

  pattern?: string;

  properties?: { [name: string]: JSONSchema };
  required?: readonly string[];
  /** `false` only in existing CRDs. */
  additionalProperties?: JSONSchema | boolean;
  items?: JSONSchema;
  allOf?: readonly JSONSchema[];
  anyOf?: readonly JSONSchema[];
  oneOf?: readonly JSONSchema[];
  not?: JSONSchema;

  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-list-map-keys"?: readonly string[];
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-validations"?: readonly ValidationRule[];
}
