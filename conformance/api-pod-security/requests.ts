// Requests about namespaces, templates of Pods and changes of Pods, each in its own namespace.
import type { JsonObject } from "@kubewright/cel/json";
import type { Answer, Send } from "../api-builtin/send.ts";
import { namespace, type Verdict, verdictOf } from "./exchange.ts";
import { restrictedSpec } from "./pods.ts";

/** Labels of a namespace without their domain, for example `enforce-version`. */
type Labels = Readonly<Record<string, string>>;

/** A request and the state before it. */
export interface Scenario {
  name: string;
  /** The labels of the namespace, to which those of `relabel` are added after the objects exist. */
  labels?: Labels;
  relabel?: Labels;
  objects?: readonly JsonObject[];
  /** The request: creates this object, by default at the path of its kind, … */
  object?: JsonObject;
  path?: string;
  /** … or changes this one. */
  update?: {
    /** The group and the version, if it isn't the core group. */
    group?: string;
    /** The path after that of the namespace; empty for the namespace itself. */
    path: string;
    change: (object: JsonObject) => JsonObject;
  };
}

const pod = (name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec,
});
const open: JsonObject = { containers: [{ name: "c0", image: "image" }] };
const baseline: JsonObject = restrictedSpec({ securityContext: {} });
const privileged: JsonObject = {
  containers: [{ name: "c0", image: "image", securityContext: { privileged: true } }],
};
const ownedBy = (uid: string): JsonObject => ({
  ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid, controller: true }],
});

const relabeled =
  (labels: Labels) =>
  (object: JsonObject): JsonObject => {
    const metadata = object.metadata as JsonObject;
    return { ...object, metadata: { ...metadata, labels: { ...(metadata.labels as JsonObject), ...domain(labels) } } };
  };

/** Adds the domain of the labels. */
function domain(labels: Labels): JsonObject {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]),
  );
}

const invalidLabels: Labels[] = [
  { enforce: "none" },
  { enforce: "" },
  { enforce: "Restricted" },
  { audit: "all" },
  { warn: "all" },
  ...["1.30", "v1.030", "v2.0", "v1.30.1", "v1.9223372036854775808", ""].map((version) => ({
    enforce: "baseline",
    "enforce-version": version,
  })),
  { "audit-version": "newest", "warn-version": "newest" },
  { enforce: "a", "enforce-version": "b", audit: "c", "audit-version": "d", warn: "e", "warn-version": "f" },
];
const validLabels: Labels[] = [
  { enforce: "restricted", "enforce-version": "v1.9223372036854775807", audit: "privileged", warn: "baseline" },
  { "enforce-version": "v1.0", "audit-version": "latest", "warn-version": "v1.36" },
];

const namespaces: Scenario[] = [
  ...[...invalidLabels, ...validLabels].map((labels) => ({
    name: `a change to ${JSON.stringify(labels)}`,
    update: { path: "", change: relabeled(labels) },
  })),
  ...[...invalidLabels, ...validLabels].map((labels) => ({
    name: `a new namespace with ${JSON.stringify(labels)}`,
    object: namespace("new", domain(labels)),
  })),
  {
    name: "a change of other labels",
    labels: { enforce: "restricted" },
    update: { path: "", change: relabeled({ other: "a" }) },
  },
  { name: "no Pods", update: { path: "", change: relabeled({ enforce: "restricted" }) } },
  { name: "only warnings", objects: [pod("a", open)], update: { path: "", change: relabeled({ warn: "restricted" }) } },
  {
    name: "allowed Pods",
    objects: [pod("a", restrictedSpec())],
    update: { path: "", change: relabeled({ enforce: "restricted" }) },
  },
  { name: "one Pod", objects: [pod("a", open)], update: { path: "", change: relabeled({ enforce: "restricted" }) } },
  ...[2, 3].map((count) => ({
    name: `${count} Pods that are alike`,
    objects: ["c", "a", "b"].slice(0, count).map((name) => pod(name, open)),
    update: { path: "", change: relabeled({ enforce: "restricted" }) },
  })),
  ...["baseline", "restricted"].map((enforce) => ({
    name: `Pods with different problems, ${enforce}`,
    objects: [
      pod("z", privileged),
      pod("a", open),
      pod("m", baseline, ownedBy("1")),
      pod("n", baseline, ownedBy("1")),
      pod("b", restrictedSpec({ hostPID: true, hostIPC: true })),
      pod("ok", restrictedSpec()),
    ],
    update: { path: "", change: relabeled({ enforce, "enforce-version": "latest" }) },
  })),
  ...(
    [
      [{ enforce: "restricted" }, { enforce: "baseline" }],
      [{ enforce: "restricted" }, { enforce: "privileged" }],
      [{ enforce: "baseline" }, { enforce: "restricted" }],
      [{ enforce: "restricted" }, { "enforce-version": "latest" }],
      [{ enforce: "restricted" }, { "enforce-version": "v1.20" }],
      [
        { enforce: "restricted", "enforce-version": "v1.20" },
        { enforce: "baseline", "enforce-version": "v1.19" },
      ],
      [{ enforce: "baseline" }, { enforce: "wrong" }],
      [{ warn: "restricted" }, { enforce: "baseline", "enforce-version": "v1.36" }],
    ] as [Labels, Labels][]
  ).map(([before, after]) => ({
    name: `from ${JSON.stringify(before)} to ${JSON.stringify(after)}`,
    objects: [pod("a", privileged)],
    relabel: before,
    update: { path: "", change: relabeled(after) },
  })),
];

const template = (spec: JsonObject, annotations?: JsonObject): JsonObject => ({
  metadata: { labels: { app: "a" }, ...(annotations ? { annotations } : {}) },
  spec,
});
const selector = { matchLabels: { app: "a" } };

/** Creates a workload of a kind. */
function workload(apiVersion: string, kind: string, content: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: "a" }, ...content };
}

const kinds: readonly (readonly [apiVersion: string, kind: string, spec: (spec: JsonObject) => JsonObject])[] = [
  ["apps/v1", "Deployment", (spec) => ({ spec: { selector, template: template(spec) } })],
  ["apps/v1", "ReplicaSet", (spec) => ({ spec: { selector, template: template(spec) } })],
  ["apps/v1", "DaemonSet", (spec) => ({ spec: { selector, template: template(spec) } })],
  ["apps/v1", "StatefulSet", (spec) => ({ spec: { selector, serviceName: "a", template: template(spec) } })],
  ["batch/v1", "Job", (spec) => ({ spec: { template: template({ ...spec, restartPolicy: "Never" }) } })],
  [
    "batch/v1",
    "CronJob",
    (spec) => ({
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: template({ ...spec, restartPolicy: "Never" }) } },
      },
    }),
  ],
  ["v1", "ReplicationController", (spec) => ({ spec: { selector: { app: "a" }, template: template(spec) } })],
  ["v1", "PodTemplate", (spec) => ({ template: template(spec) })],
];

const modes: Labels[] = [
  { enforce: "restricted" },
  { enforce: "baseline", "enforce-version": "v1.20" },
  { enforce: "restricted", "enforce-version": "v1.20", warn: "baseline" },
  { enforce: "restricted", "enforce-version": "v1.20", "warn-version": "v1.25" },
  { enforce: "restricted", warn: "privileged" },
  { audit: "restricted" },
  { warn: "restricted", "warn-version": "v1.19" },
  { "enforce-version": "v1.20" },
];

const deployment = (spec: JsonObject): JsonObject =>
  workload("apps/v1", "Deployment", { spec: { selector, template: template(spec) } });

const templates: Scenario[] = [
  ...kinds.flatMap(([apiVersion, kind, content]) =>
    [privileged, restrictedSpec()].map((spec) => ({
      name: `${kind} with ${spec === privileged ? "privileged" : "restricted"} Pods`,
      labels: { enforce: "restricted" },
      object: workload(apiVersion, kind, content(spec)),
    })),
  ),
  ...modes.flatMap((labels) => [
    {
      name: `Deployment with ${JSON.stringify(labels)}`,
      labels,
      object: deployment(privileged),
    },
    ...[baseline, privileged].map((spec) => ({
      name: `${spec === baseline ? "baseline" : "privileged"} Pod with ${JSON.stringify(labels)}`,
      labels,
      object: pod("a", spec),
    })),
  ]),
  {
    name: "annotations of a template",
    labels: { enforce: "baseline" },
    object: workload("apps/v1", "Deployment", {
      spec: {
        selector,
        template: template(restrictedSpec(), { "container.apparmor.security.beta.kubernetes.io/c0": "unconfined" }),
      },
    }),
  },
];

const withSpec =
  (changes: JsonObject) =>
  (object: JsonObject): JsonObject => ({ ...object, spec: { ...(object.spec as JsonObject), ...changes } });
const withContainers =
  (field: string, changes: JsonObject) =>
  (object: JsonObject): JsonObject => {
    const containers = (object.spec as JsonObject)[field] as JsonObject[];
    return withSpec({ [field]: containers.map((container) => ({ ...container, ...changes })) })(object);
  };
const debugging = (securityContext: JsonObject): JsonObject => ({
  ephemeralContainers: [{ name: "debug", image: "image", securityContext }],
});
const cpu = (amount: string): JsonObject => ({ resources: { requests: { cpu: amount } } });
const requesting = (amount: string): JsonObject => ({
  containers: [{ name: "c0", image: "image", ...cpu(amount) }],
});
const both: JsonObject = { ...open, initContainers: [{ name: "init", image: "image" }] };

const changes: Scenario[] = [
  ...(
    [
      ["labels", both, "", relabeled({ a: "b" })],
      ["the image", both, "", withContainers("containers", { image: "other" })],
      ["the image of an init container", both, "", withContainers("initContainers", { image: "other" })],
      ["the image of a restricted Pod", restrictedSpec(), "", withContainers("containers", { image: "other" })],
      ["a deadline", both, "", withSpec({ activeDeadlineSeconds: 100 })],
      ["the status", both, "/status", (object: JsonObject) => ({ ...object, status: { message: "a" } })],
      ["resources", requesting("1"), "/resize", withContainers("containers", cpu("2"))],
      ["an ephemeral container", both, "/ephemeralcontainers", withSpec(debugging({}))],
      ["an open ephemeral container", restrictedSpec(), "/ephemeralcontainers", withSpec(debugging({}))],
      [
        "a restricted ephemeral container",
        restrictedSpec(),
        "/ephemeralcontainers",
        withSpec(debugging({ allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } })),
      ],
    ] as const
  ).flatMap(([name, spec, subresource, change]) =>
    ["enforce", "warn"].map((mode) => ({
      name: `${mode}: ${name}`,
      objects: [pod("a", spec)],
      relabel: { [mode]: "restricted" },
      update: { path: `/pods/a${subresource}`, change },
    })),
  ),
  ...(
    [
      ["replicas", "", withSpec({ replicas: 3 })],
      ["the scale", "/scale", withSpec({ replicas: 3 })],
      ["the status", "/status", (object: JsonObject) => ({ ...object, status: { replicas: 1 } })],
    ] as const
  ).map(([name, subresource, change]) => ({
    name: `Deployment: ${name}`,
    labels: { enforce: "restricted" },
    objects: [deployment(privileged)],
    update: { group: "apps/v1", path: `/deployments/a${subresource}`, change },
  })),
  ...(
    [
      ["an eviction", "/pods/a/eviction", { apiVersion: "policy/v1", kind: "Eviction" }],
      ["a binding of a Pod", "/pods/a/binding", { apiVersion: "v1", kind: "Binding", target: { name: "node" } }],
      ["a binding", "/bindings", { apiVersion: "v1", kind: "Binding", target: { name: "node" } }],
    ] as const
  ).map(([name, path, object]) => ({
    name,
    objects: [pod("a", privileged)],
    relabel: { enforce: "restricted" },
    path,
    object: { ...object, metadata: { name: "a" } },
  })),
  {
    name: "the status of a namespace",
    objects: [pod("a", open)],
    update: { path: "/status", change: relabeled({ enforce: "restricted" }) },
  },
];

/** All requests. */
export const scenarios: readonly Scenario[] = [...namespaces, ...templates, ...changes];

/** The recorded answer to a request. */
export interface RecordedVerdict extends Verdict {
  name: string;
}

/**
 * Sends all requests to a server, as dry runs.
 *
 * @param send - sends a request
 * @param settle - waits until the caches of the server are up to date
 * @returns the answers, in the order of the requests
 */
export async function answersToScenarios(send: Send, settle: () => Promise<void>): Promise<RecordedVerdict[]> {
  const created = async (path: string, object: JsonObject, method = "POST"): Promise<JsonObject> => {
    const answer = await send(method, path, object);
    if (answer.code >= 300) throw new Error(JSON.stringify(answer));
    return answer.body;
  };
  const all = scenarios.map((scenario, index) => ({ ...scenario, own: `requests-${index}` }));
  for (const { own, labels = {}, relabel, objects = [] } of all) {
    const first = await created("/api/v1/namespaces", namespace(own, domain(labels)));
    for (const object of objects) await created(pathOf(object, own), object);
    if (relabel) await created(`/api/v1/namespaces/${own}`, relabeled(relabel)(first), "PUT");
  }
  await settle();
  const answers: RecordedVerdict[] = [];
  for (const { own, name, object, path, update } of all) {
    let answer: Answer;
    if (update) {
      const base = update.group === undefined ? "/api/v1" : `/apis/${update.group}`;
      const url = `${base}/namespaces/${own}${update.path}`;
      answer = await send("PUT", `${url}?dryRun=All`, update.change((await send("GET", url)).body));
    } else {
      const url = path === undefined ? pathOf(object as JsonObject, own) : `/api/v1/namespaces/${own}${path}`;
      answer = await send("POST", `${url}?dryRun=All`, object);
    }
    answers.push({ name, ...verdictOf(answer) });
  }
  return answers;
}

/** @returns the path to create an object */
function pathOf({ apiVersion, kind }: JsonObject, own: string): string {
  const base = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  return kind === "Namespace" ? `${base}/namespaces` : `${base}/namespaces/${own}/${String(kind).toLowerCase()}s`;
}
