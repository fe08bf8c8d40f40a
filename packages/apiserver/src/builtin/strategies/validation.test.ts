import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
});
afterAll(() => server.stop());

async function create(path: string, object: JsonObject): Promise<JsonObject> {
  const headers = { "content-type": "application/json" };
  const answer = await server.handle({ method: "POST", url: path, headers, body: JSON.stringify(object) });
  return JSON.parse(String(answer.body)) as JsonObject;
}

let count = 0;
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "app", image: "app:1" }] } };
const workload = { selector: { matchLabels: { a: "b" } }, template };
const never = { spec: { ...template.spec, restartPolicy: "Never" } };
const kinds: Record<string, [path: string, apiVersion: string, rest: JsonObject]> = {
  Pod: ["/api/v1/namespaces/default/pods", "v1", { spec: template.spec }],
  Deployment: ["/apis/apps/v1/namespaces/default/deployments", "apps/v1", { spec: workload }],
  Job: ["/apis/batch/v1/namespaces/default/jobs", "batch/v1", { spec: { template: never } }],
  CronJob: ["/apis/batch/v1/namespaces/default/cronjobs", "batch/v1", { spec: { schedule: "* * * * *" } }],
  Role: ["/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", "rbac.authorization.k8s.io/v1", {}],
  StorageClass: ["/apis/storage.k8s.io/v1/storageclasses", "storage.k8s.io/v1", { provisioner: "a" }],
  NetworkPolicy: [
    "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    "networking.k8s.io/v1",
    { spec: { podSelector: {} } },
  ],
  Ingress: ["/apis/networking.k8s.io/v1/namespaces/default/ingresses", "networking.k8s.io/v1", { spec: {} }],
  EndpointSlice: ["/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", "discovery.k8s.io/v1", {}],
  LimitRange: ["/api/v1/namespaces/default/limitranges", "v1", { spec: {} }],
  ResourceQuota: ["/api/v1/namespaces/default/resourcequotas", "v1", { spec: {} }],
  Lease: ["/apis/coordination.k8s.io/v1/namespaces/default/leases", "coordination.k8s.io/v1", { spec: {} }],
  PriorityClass: ["/apis/scheduling.k8s.io/v1/priorityclasses", "scheduling.k8s.io/v1", {}],
};

async function problemOf(kind: string, changes: JsonObject): Promise<string> {
  const [path, apiVersion, rest] = kinds[kind] as (typeof kinds)[string];
  const name = `test-${count++}`;
  const spec = { ...((rest.spec ?? {}) as JsonObject), ...((changes.spec ?? {}) as JsonObject) };
  const object = { apiVersion, kind, metadata: { name }, ...rest, ...changes, ...(rest.spec ? { spec } : {}) };
  const { message = "valid" } = await create(path, object);
  return String(message).replace(/^.*? is invalid: /, "");
}

const container = { name: "app", image: "app:1" };
const withContainer = (fields: JsonObject): JsonObject => ({ spec: { containers: [{ ...container, ...fields }] } });

it.each<[rule: string, kind: string, changes: JsonObject, message: string]>([
  [
    "requested resources must not exceed the limits",
    "Pod",
    withContainer({ resources: { limits: { cpu: "1" }, requests: { cpu: "2" } } }),
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    "a probe needs a handler",
    "Pod",
    withContainer({ livenessProbe: {} }),
    "spec.containers[0].livenessProbe: Required value: must specify a handler type",
  ],
  [
    "a mount needs an existing volume",
    "Pod",
    withContainer({ volumeMounts: [{ name: "v", mountPath: "/v" }] }),
    'spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    "a ConfigMap volume needs the name of a ConfigMap",
    "Pod",
    { spec: { volumes: [{ name: "v", configMap: {} }] } },
    "spec.volumes[0].configMap.name: Required value",
  ],
  [
    "a toleration without a key needs the operator Exists",
    "Pod",
    { spec: { tolerations: [{ value: "x" }] } },
    'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
  [
    "a template must not have ephemeral containers",
    "Deployment",
    {
      spec: {
        template: { ...template, spec: { ...template.spec, ephemeralContainers: [{ ...container, name: "helper" }] } },
      },
    },
    "spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template",
  ],
  [
    "the template of a Job needs a restart policy with an end",
    "Job",
    { spec: { template: { spec: template.spec } } },
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    "an indexed Job needs completions",
    "Job",
    { spec: { completionMode: "Indexed", parallelism: 1 } },
    "spec.completions: Required value: when completion mode is Indexed",
  ],
  [
    "a schedule must have five fields",
    "CronJob",
    { spec: { schedule: "* * * *", jobTemplate: { spec: { template: never } } } },
    'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
  ],
  [
    "a rule needs resources",
    "Role",
    { rules: [{ verbs: ["get"], apiGroups: [""] }] },
    "rules[0].resources: Required value: resource rules must supply at least one resource",
  ],
  ["a StorageClass needs a provisioner", "StorageClass", { provisioner: "" }, "provisioner: Required value"],
  [
    "a peer needs a selector",
    "NetworkPolicy",
    { spec: { ingress: [{ from: [{}] }] } },
    "spec.ingress[0].from[0]: Required value: must specify a peer",
  ],
  [
    "an Ingress needs a backend or rules",
    "Ingress",
    {},
    "spec: Invalid value: null: either `defaultBackend` or `rules` must be specified",
  ],
  ["an EndpointSlice needs an address type", "EndpointSlice", {}, "addressType: Required value"],
  [
    "a minimum must not exceed its maximum",
    "LimitRange",
    { spec: { limits: [{ type: "Pod", min: { cpu: "2" }, max: { cpu: "1" } }] } },
    'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
  ],
  [
    "scopes must not conflict",
    "ResourceQuota",
    { spec: { scopes: ["Terminating", "NotTerminating"] } },
    'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
  ],
  [
    "the duration of a lease must be positive",
    "Lease",
    { spec: { leaseDurationSeconds: 0 } },
    "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
  ],
  [
    "priorities of users must not exceed 1000000000",
    "PriorityClass",
    { value: 1_000_000_001 },
    "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
  ],
])("%s", async (_rule, kind, changes, message) => {
  expect(await problemOf(kind, changes)).toBe(message);
});

it("generates the selector of a Job and the labels of its Pods", async () => {
  const [path, apiVersion, rest] = kinds.Job as (typeof kinds)[string];
  const job = await create(path, { apiVersion, kind: "Job", metadata: { name: "generated" }, ...rest });
  const { metadata, spec } = job as unknown as { metadata: JsonObject; spec: JsonObject };
  const labels = {
    "batch.kubernetes.io/controller-uid": metadata.uid,
    "batch.kubernetes.io/job-name": "generated",
    "controller-uid": metadata.uid,
    "job-name": "generated",
  };
  expect(spec.selector).toEqual({ matchLabels: { "batch.kubernetes.io/controller-uid": metadata.uid } });
  expect(spec.template).toMatchObject({ metadata: { labels } });
  expect(metadata.labels).toEqual(labels);
});
