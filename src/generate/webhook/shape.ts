/** The type of a value in the Kubernetes API, as far as admission webhooks use it. */
export type Shape =
  | { readonly kind: "string" | "int32" | "bytes" }
  | { readonly kind: "list" | "map"; readonly item: Shape }
  | Struct;

/** An object with known keys. */
export interface Struct {
  readonly kind: "struct";
  readonly fields: Readonly<Record<string, Field>>;
}

/** One key of an object. Absent and empty values are omitted by default. */
export interface Field {
  readonly shape: Shape;
  /** Written even if absent, with the zero value of its type. */
  readonly always?: true;
  /** Written even if empty, unless absent. */
  readonly pointer?: true;
  /** The key that identifies the elements of the list. */
  readonly mergeKey?: string;
}

const text: Shape = { kind: "string" };
const texts: Shape = { kind: "list", item: text };

const optional = (shape: Shape): Field => ({ shape });
const pointer = (shape: Shape): Field => ({ shape, pointer: true });
const always = (shape: Shape): Field => ({ shape, always: true });
const struct = (fields: Readonly<Record<string, Field>>): Struct => ({ kind: "struct", fields });

const selector = struct({
  matchLabels: optional({ kind: "map", item: text }),
  matchExpressions: optional({
    kind: "list",
    item: struct({ key: always(text), operator: always(text), values: optional(texts) }),
  }),
});

const rule = struct({
  operations: optional(texts),
  apiGroups: optional(texts),
  apiVersions: optional(texts),
  resources: optional(texts),
  scope: pointer(text),
});

const clientConfig = struct({
  url: pointer(text),
  service: pointer(
    struct({
      namespace: always(text),
      name: always(text),
      path: pointer(text),
      port: pointer({ kind: "int32" }),
    }),
  ),
  caBundle: optional({ kind: "bytes" }),
});

const common: Readonly<Record<string, Field>> = {
  name: always(text),
  clientConfig: always(clientConfig),
  rules: optional({ kind: "list", item: rule }),
  failurePolicy: pointer(text),
  matchPolicy: pointer(text),
  namespaceSelector: pointer(selector),
  objectSelector: pointer(selector),
  sideEffects: pointer(text),
  timeoutSeconds: pointer({ kind: "int32" }),
  admissionReviewVersions: optional(texts),
  matchConditions: {
    shape: { kind: "list", item: struct({ name: always(text), expression: always(text) }) },
    mergeKey: "name",
  },
};

/** `webhooks[]` of a ValidatingWebhookConfiguration, admissionregistration.k8s.io/v1. */
export const validatingWebhook: Struct = struct(common);

/** `webhooks[]` of a MutatingWebhookConfiguration, admissionregistration.k8s.io/v1. */
export const mutatingWebhook: Struct = struct({ ...common, reinvocationPolicy: pointer(text) });
