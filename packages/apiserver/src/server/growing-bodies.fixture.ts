import type { Json, JsonObject } from "@kubewright/cel/json";

/** A request whose body, or whose parameters, can have any size. */
export interface GrowingRequest {
  method?: string;
  /** The path, and parameters if they grow. */
  path: string | ((size: number) => string);
  type?: string;
  body?: (size: number) => Json | string;
}

const many = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const fields = (size: number, value: Json = "v", name = "f"): JsonObject =>
  Object.fromEntries(many(size, (index) => [`${name}${index}`, value]));
const core = "/api/v1/namespaces/default";
const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const yaml = "application/yaml";
const patches = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

const of = (apiVersion: string, kind: string, rest: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: "new", ...metadata },
  ...rest,
});
const configMap = (rest: JsonObject, metadata?: JsonObject): JsonObject => of("v1", "ConfigMap", rest, metadata);
const widget = (spec: JsonObject, metadata?: JsonObject): JsonObject =>
  of("example.com/v1", "Widget", { spec }, metadata);
const pod = (spec: JsonObject): JsonObject =>
  of("v1", "Pod", { spec: { containers: [{ name: "c", image: "i" }], ...spec } });
const post = (path: string, body: (size: number) => Json | string, type?: string): GrowingRequest => ({
  path,
  body,
  ...(type === undefined ? {} : { type }),
});
const patch = (path: string, kind: keyof typeof patches, body: (size: number) => Json | string): GrowingRequest => ({
  method: "PATCH",
  path: kind === "apply" ? `${path}?fieldManager=m&force=true` : path,
  type: patches[kind],
  body,
});
const definition = (properties: JsonObject, version: JsonObject = {}): JsonObject =>
  of(
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    {
      spec: {
        group: "b.com",
        scope: "Namespaced",
        names: { plural: "as", singular: "a", kind: "A", listKind: "AList" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
            ...version,
          },
        ],
      },
    },
    { name: "as.b.com" },
  );
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const text = (more: JsonObject = {}): JsonObject => ({ type: "string", ...more });
const formats = [
  ...["bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "isbn", "creditcard", "ssn"],
  ...["hexcolor", "rgbcolor", "byte", "date", "duration", "datetime", "k8s-short-name", "k8s-long-name"],
];

/** The schema of the Widgets that the requests create. */
export const widgetSpec: JsonObject = {
  type: "object",
  properties: {
    ...Object.fromEntries(formats.map((format) => [format.replaceAll("-", ""), text({ format })])),
    pattern: text({ pattern: "^(a|b)*c$" }),
    set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    objects: {
      type: "array",
      items: { type: "object", properties: { a: text() }, "x-kubernetes-map-type": "atomic" },
      "x-kubernetes-list-type": "set",
    },
    map: {
      type: "array",
      items: { type: "object", required: ["k"], properties: { k: text(), v: text({ default: "d" }) } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    },
    unique: { type: "array", items: { type: "object", properties: { a: text({ maxLength: 3 }) } } },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    table: { type: "object", additionalProperties: { type: "object", properties: { d: text({ default: "d" }) } } },
    enumeration: { type: "array", items: text({ enum: many(1000, (index) => `e${index}`) }) },
    mixed: { "x-kubernetes-int-or-string": true },
    rules: {
      type: "array",
      maxItems: 100_000,
      items: text({ maxLength: 10 }),
      "x-kubernetes-validations": [{ rule: "self.all(x, x != 'y')" }],
    },
  },
};

/** The requests, by what grows. Sizes are counts. */
export const growingRequests: Readonly<Record<string, GrowingRequest>> = {
  "unknown fields": post(`${core}/configmaps`, (n) => configMap(fields(n))),
  "unknown fields in an object": post(`${core}/pods`, (n) => pod({ ...fields(n) })),
  "unknown fields of a custom kind": post(widgets, (n) => widget(fields(n))),
  "equal fields": post(`${core}/configmaps`, (n) => `{"kind":"ConfigMap","data":{${'"a":"b",'.repeat(n)}"a":"b"}}`),
  "equal and unknown fields": post(
    `${core}/configmaps`,
    (n) => `{"kind":"ConfigMap",${many(n, (i) => `"f${i}":1,"f${i}":2`).join(",")}}`,
  ),
  "equal fields of a custom kind": post(
    widgets,
    (n) =>
      `{"kind":"Widget","apiVersion":"example.com/v1","spec":{${many(n, (i) => `"f${i}":1,"f${i}":2`).join(",")}}}`,
  ),
  "equal and unknown fields in YAML": post(
    `${core}/configmaps`,
    (n) => `kind: ConfigMap\n${many(n, (i) => `f${i}: 1`).join("\n")}\nf0: 2\n`,
    yaml,
  ),
  "malformed JSON": post(`${core}/configmaps`, (n) => `{"kind":"ConfigMap","data":{${'"a":"b",'.repeat(n)}`),
  "nested lists": post(`${core}/configmaps`, (n) => `{"kind":"ConfigMap","data":${"[".repeat(n)}${"]".repeat(n)}}`),
  "values of another type": post(`${core}/configmaps`, (n) => configMap({ data: fields(n, 5) })),
  data: post(`${core}/configmaps`, (n) => configMap({ data: fields(n) })),
  "data in YAML": post(
    `${core}/configmaps`,
    (n) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${many(n, (i) => `  f${i}: v`).join("\n")}`,
    yaml,
  ),
  "malformed keys": post(`${core}/configmaps`, (n) => configMap({ data: fields(n, "v", "/") })),
  labels: post(`${core}/configmaps`, (n) => configMap({}, { labels: fields(n) })),
  "malformed labels": post(`${core}/configmaps`, (n) => configMap({}, { labels: fields(n, "/", "/") })),
  annotations: post(`${core}/configmaps`, (n) => configMap({}, { annotations: fields(n, "") })),
  finalizers: post(`${core}/configmaps`, (n) => configMap({}, { finalizers: many(n, (i) => `a.b/f${i}`) })),
  owners: post(`${core}/configmaps`, (n) =>
    configMap({}, { ownerReferences: many(n, (i) => ({ apiVersion: "v1", kind: "Pod", name: "a", uid: `u${i}` })) }),
  ),
  "owners of a custom kind": post(widgets, (n) =>
    widget({}, { ownerReferences: many(n, (i) => ({ apiVersion: "v1", kind: "Pod", name: "a", uid: `u${i}` })) }),
  ),
  managers: post(`${core}/configmaps`, (n) =>
    configMap(
      {},
      {
        managedFields: many(n, (i) => ({
          manager: `m${i}`,
          operation: "Update",
          apiVersion: "v1",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": { "f:a": {} } },
        })),
      },
    ),
  ),
  "digits of a name": post(`${core}/configmaps`, (n) => configMap({}, { name: "1".repeat(n) })),
  containers: post(`${core}/pods`, (n) => pod({ containers: many(n, (i) => ({ name: `c${i}`, image: "i" })) })),
  environment: post(`${core}/pods`, (n) =>
    pod({ containers: [{ name: "c", image: "i", env: many(n, (i) => ({ name: `E${i}`, value: "$(A)" })) }] }),
  ),
  "equal environment": post(`${core}/pods`, (n) =>
    pod({ containers: [{ name: "c", image: "i", env: many(n, () => ({ name: "E", value: "1" })) }] }),
  ),
  ports: post(`${core}/pods`, (n) =>
    pod({ containers: [{ name: "c", image: "i", ports: many(n, (i) => ({ containerPort: 1 + (i % 65_000) })) }] }),
  ),
  volumes: post(`${core}/pods`, (n) => pod({ volumes: many(n, (i) => ({ name: `v${i}`, emptyDir: {} })) })),
  mounts: post(`${core}/pods`, (n) =>
    pod({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [
        { name: "c", image: "i", volumeMounts: many(n, (i) => ({ name: "v", mountPath: `/m${i}`, subPath: "a" })) },
      ],
    }),
  ),
  "projected files": post(`${core}/pods`, (n) =>
    pod({
      volumes: [
        {
          name: "v",
          projected: {
            sources: [{ configMap: { name: "a", items: many(n, (i) => ({ key: `k${i}`, path: `p${i}` })) } }],
          },
        },
      ],
    }),
  ),
  tolerations: post(`${core}/pods`, (n) =>
    pod({ tolerations: many(n, (i) => ({ key: `k${i}`, operator: "Exists", effect: "NoSchedule" })) }),
  ),
  "topology constraints": post(`${core}/pods`, (n) =>
    pod({
      topologySpreadConstraints: many(n, (i) => ({
        maxSkew: 1,
        topologyKey: `k${i}`,
        whenUnsatisfiable: "DoNotSchedule",
      })),
    }),
  ),
  "digits of a quantity": post(`${core}/pods`, (n) =>
    pod({ containers: [{ name: "c", image: "i", resources: { limits: { cpu: `${"0".repeat(n)}x` } } }] }),
  ),
  resources: post(`${core}/pods`, (n) =>
    pod({ containers: [{ name: "c", image: "i", resources: { limits: fields(n, "1", "a.b/r") } }] }),
  ),
  "characters of an image": post(`${core}/pods`, (n) => pod({ containers: [{ name: "c", image: "a:".repeat(n) }] })),
  "selectors of a node": post(`${core}/pods`, (n) => pod({ nodeSelector: fields(n) })),
  "host aliases": post(`${core}/pods`, (n) =>
    pod({ hostAliases: many(n, () => ({ ip: "1.2.3.4", hostnames: ["a"] })) }),
  ),
  gates: post(`${core}/pods`, (n) => pod({ schedulingGates: many(n, (i) => ({ name: `g${i}` })) })),
  "ports of a Service": post(`${core}/services`, (n) =>
    of("v1", "Service", { spec: { ports: many(n, (i) => ({ name: `p${i}`, port: 1 + (i % 65_000) })) } }),
  ),
  "rules of a Role": post("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", (n) =>
    of("rbac.authorization.k8s.io/v1", "Role", {
      rules: many(n, (i) => ({ verbs: ["get"], apiGroups: [""], resources: [`r${i}`] })),
    }),
  ),
  "paths of an Ingress": post("/apis/networking.k8s.io/v1/namespaces/default/ingresses", (n) =>
    of("networking.k8s.io/v1", "Ingress", {
      spec: { rules: many(n, (i) => ({ host: `h${i}.com`, http: { paths: [{ path: "/", pathType: "Prefix" }] } })) },
    }),
  ),
  endpoints: post("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", (n) =>
    of("discovery.k8s.io/v1", "EndpointSlice", {
      addressType: "IPv4",
      endpoints: many(n, (i) => ({ addresses: [`10.0.${(i >> 8) % 256}.${i % 256}`] })),
    }),
  ),
  webhooks: post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", (n) =>
    of("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", {
      webhooks: many(n, (i) => ({
        name: `w${i}.a.b`,
        clientConfig: { url: "https://a/" },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
      })),
    }),
  ),
  "validations of a policy": post("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", (n) =>
    of("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", {
      spec: {
        matchConstraints: {
          resourceRules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
        },
        validations: many(n, (i) => ({ expression: `object.metadata.name != 'a${i}'` })),
      },
    }),
  ),
  "properties of a definition": post(definitions, (n) => definition(fields(n, { type: "string" }))),
  "versions of a definition": post(definitions, (n) => {
    const document = definition({});
    const spec = document.spec as JsonObject;
    const [version] = spec.versions as JsonObject[];
    spec.versions = many(n, (i) => ({ ...version, name: `v${i + 1}`, storage: i === 0 }));
    return document;
  }),
  "columns of a definition": post(definitions, (n) =>
    definition(
      {},
      { additionalPrinterColumns: many(n, (i) => ({ name: `c${i}`, type: "string", jsonPath: ".spec.a" })) },
    ),
  ),
  "values of an enumeration": post(definitions, (n) => definition({ a: text({ enum: many(n, (i) => `e${i}`) }) })),
  "alternatives of a schema": post(definitions, (n) =>
    definition({ a: text({ anyOf: many(n, (i) => ({ maxLength: i })) }) }),
  ),
  "required fields of a definition": post(definitions, (n) =>
    definition({ a: { type: "object", required: many(n, (i) => `f${i}`) } }),
  ),
  "repetitions of patterns of a definition": post(definitions, (n) =>
    definition(Object.fromEntries(many(n, (i) => [`f${i}`, text({ pattern: `^[a-z]{1,${100 + (i % 900)}}$` })]))),
  ),
  ...Object.fromEntries(
    formats.flatMap((format) => {
      const field = format.replaceAll("-", "");
      return ["1", "a", ".", "11s", ":", " ", "-"].map((char) => [
        `characters of the format ${format}: ${char}`,
        post(widgets, (n) => widget({ [field]: char.repeat(n) })),
      ]);
    }),
  ),
  "characters of a pattern": post(widgets, (n) => widget({ pattern: "ab".repeat(n) })),
  "items of a set": post(widgets, (n) => widget({ set: many(n, (i) => `s${i}`) })),
  "equal items of a set": post(widgets, (n) => widget({ set: many(n, () => "s") })),
  "objects of a set": post(widgets, (n) => widget({ objects: many(n, (i) => ({ a: `a${i}` })) })),
  "items of a map": post(widgets, (n) => widget({ map: many(n, (i) => ({ k: `k${i}` })) })),
  "equal items of a map": post(widgets, (n) => widget({ map: many(n, () => ({ k: "k" })) })),
  "invalid items": post(widgets, (n) => widget({ unique: many(n, () => ({ a: "long" })) })),
  "unknown fields of items": post(widgets, (n) => widget({ unique: many(n, () => ({ b: 1 })) })),
  "fields that are kept": post(widgets, (n) => widget({ any: fields(n) })),
  defaults: post(widgets, (n) => widget({ table: fields(n, {}) })),
  "values of enumerations": post(widgets, (n) => widget({ enumeration: many(n, (i) => `e${i % 1000}`) })),
  "items that a rule reads": post(widgets, (n) => widget({ rules: many(n, () => "x") })),
  "operations of a JSON patch": patch(`${core}/configmaps/old`, "json", (n) =>
    many(Math.min(n, 10_000), (i) => ({ op: "add", path: `/data/f${i}`, value: "v" })),
  ),
  "operations on a list": patch(`${core}/configmaps/old`, "json", (n) => [
    { op: "add", path: "/metadata/finalizers", value: [] },
    ...many(Math.min(n, 9990), (i) => ({ op: "add", path: "/metadata/finalizers/0", value: `a.b/f${i}` })),
  ]),
  "parts of a JSON pointer": patch(`${core}/configmaps/old`, "json", (n) => [
    { op: "add", path: "/data".repeat(n), value: "v" },
  ]),
  copies: patch(`${core}/configmaps/old`, "json", (n) =>
    many(Math.min(n, 10_000), (i) => ({ op: "copy", from: "/data", path: `/data${i}` })),
  ),
  "fields of a merge patch": patch(`${core}/configmaps/old`, "merge", (n) => ({ data: fields(n) })),
  "fields of a strategic merge patch": patch(`${core}/configmaps/old`, "strategic", (n) => ({ data: fields(n) })),
  "items of a strategic merge patch": patch(`${core}/pods/old`, "strategic", (n) => ({
    metadata: { finalizers: many(n, (i) => `a.b/f${i}`) },
  })),
  "objects of a strategic merge patch": patch(`${core}/pods/old`, "strategic", (n) => ({
    spec: { tolerations: [], containers: many(n, (i) => ({ name: `c${i}`, image: "i" })) },
  })),
  "order of a strategic merge patch": patch(`${core}/pods/old`, "strategic", (n) => ({
    spec: {
      "$setElementOrder/containers": many(n, (i) => ({ name: `c${i}` })),
      containers: many(n, (i) => ({ name: `c${i}`, image: "i" })),
    },
  })),
  "removals of a strategic merge patch": patch(`${core}/pods/old`, "strategic", (n) => ({
    metadata: { "$deleteFromPrimitiveList/finalizers": many(n, (i) => `a.b/f${i}`) },
    spec: { containers: many(n, (i) => ({ $patch: "delete", name: `c${i}` })) },
  })),
  "applied fields": patch(`${core}/configmaps/old`, "apply", (n) => configMap({ data: fields(n) }, { name: "old" })),
  "applied fields of a custom kind": patch(`${widgets}/old`, "apply", (n) =>
    widget({ any: fields(n) }, { name: "old" }),
  ),
  "applied unknown fields": patch(`${widgets}/old`, "apply", (n) => widget(fields(n), { name: "old" })),
  "applied items of a set": patch(`${widgets}/old`, "apply", (n) =>
    widget({ set: many(n, (i) => `s${i}`) }, { name: "old" }),
  ),
  "applied items of a map": patch(`${widgets}/old`, "apply", (n) =>
    widget({ map: many(n, (i) => ({ k: `k${i}` })) }, { name: "old" }),
  ),
  "applied containers": patch(`${core}/pods/old`, "apply", (n) =>
    of("v1", "Pod", { spec: { containers: many(n, (i) => ({ name: `c${i}`, image: "i" })) } }, { name: "old" }),
  ),
  "an object with many fields that is updated": {
    method: "PUT",
    path: `${core}/configmaps/old`,
    body: (n) => configMap({ data: fields(n) }, { name: "old" }),
  },
  "terms of a label selector": { method: "GET", path: (n) => `${core}/configmaps?labelSelector=${"a,".repeat(n)}a` },
  "values of a label selector": {
    method: "GET",
    path: (n) => `${core}/configmaps?labelSelector=a+in+(${many(n, (i) => `v${i}`).join(",")})`,
  },
  "spaces in a label selector": { method: "GET", path: (n) => `${core}/configmaps?labelSelector=a${"+".repeat(n)}` },
  "terms of a field selector": {
    method: "GET",
    path: (n) => `${core}/configmaps?fieldSelector=${"metadata.name!=b,".repeat(n)}metadata.name!=b`,
  },
  "attributes of a review": post("/apis/authorization.k8s.io/v1/subjectaccessreviews", (n) =>
    of("authorization.k8s.io/v1", "SubjectAccessReview", {
      spec: { user: "a", groups: many(n, (i) => `g${i}`), resourceAttributes: { verb: "get", resource: "pods" } },
    }),
  ),
  "characters of a token": post("/apis/authentication.k8s.io/v1/tokenreviews", (n) =>
    of("authentication.k8s.io/v1", "TokenReview", { spec: { token: "a.".repeat(n) } }),
  ),
};
