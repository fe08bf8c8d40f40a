/** A structural schema in a CustomResourceDefinition. Unknown keys stay, so that they can be reported. */
export interface CrdSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, CrdSchema>>;
  readonly items?: CrdSchema;
  readonly additionalProperties?: CrdSchema | boolean;
  readonly anyOf?: readonly CrdSchema[];
  readonly allOf?: readonly CrdSchema[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly [key: string]: unknown;
}

/** Whether a schema becomes a TypeScript interface: it has properties, or doesn't restrict the object's content. */
export function isStruct(schema: CrdSchema): boolean {
  return schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0;
}

/** Whether the `anyOf` of a schema only allows an integer or a string. */
export function isPlainIntOrString(schema: CrdSchema): boolean {
  const [first, second, third] = schema.anyOf ?? [];
  const only = (part: CrdSchema | undefined, type: string) => part?.type === type && Object.keys(part).length === 1;
  return third === undefined && only(first, "integer") && only(second, "string");
}
