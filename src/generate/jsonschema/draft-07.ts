import type { JSONValue } from "../schema/model/json-schema.ts";

/** A JSON Schema of draft 7, with the keywords of Kubernetes. */
export interface Draft07 {
  $schema?: string;
  $comment?: string;
  $ref?: string;
  title?: string;
  description?: string;
  deprecated?: boolean;
  type?: string | readonly string[];
  const?: JSONValue;
  enum?: readonly JSONValue[];
  default?: JSONValue;
  examples?: readonly JSONValue[];
  minimum?: number | bigint;
  maximum?: number | bigint;
  exclusiveMinimum?: number | bigint;
  exclusiveMaximum?: number | bigint;
  multipleOf?: number | bigint;
  minLength?: number | bigint;
  maxLength?: number | bigint;
  pattern?: string;
  items?: Draft07;
  minItems?: number | bigint;
  maxItems?: number | bigint;
  uniqueItems?: boolean;
  properties?: Readonly<Record<string, Draft07>>;
  required?: readonly string[];
  additionalProperties?: Draft07 | boolean;
  propertyNames?: Draft07;
  minProperties?: number | bigint;
  maxProperties?: number | bigint;
  allOf?: readonly Draft07[];
  anyOf?: readonly Draft07[];
  oneOf?: readonly Draft07[];
  not?: Draft07;
  if?: Draft07;
  then?: Draft07;
  definitions?: Readonly<Record<string, Draft07>>;
  [extension: `x-kubernetes-${string}`]: unknown;
}
