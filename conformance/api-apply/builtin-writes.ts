// Random writes to built-in kinds.
import type { Json, JsonObject } from "@kubewright/cel/json";
import { type Choice, compact, type Generator, letters, metadata, some, strings, subset } from "./steps.ts";

function container(choice: Choice, share: number, name: string): JsonObject {
  return compact({
    name,
    image: choice.of(["i1", "i2"]),
    env: some(choice, share, () =>
      subset(choice, ["X", "Y", "Z"]).map((env) => ({ name: env, value: choice.of(["1", "2"]) })),
    ),
    ports: some(choice, share, () =>
      subset(choice, ["80/TCP", "80/UDP", "443"]).map((text) => {
        const [port, protocol] = text.split("/");
        return compact({ containerPort: Number(port), protocol });
      }),
    ),
    args: some(choice, share / 2, () => subset(choice, letters)),
    resources: some(choice, share / 2, () => ({
      limits: compact({ cpu: some(choice, 0.7, () => choice.of(["1", "500m"])), memory: "1Gi" }),
    })),
    securityContext: some(choice, share / 2, () =>
      compact({ runAsUser: some(choice, 0.5, () => choice.below(2)), privileged: choice.chance(0.5) }),
    ),
  });
}

function podSpec(choice: Choice, share: number): JsonObject {
  const names = ["c", ...subset(choice, letters.slice(0, 2))];
  const volume = (name: string): JsonObject =>
    choice.of<JsonObject>([
      { name, emptyDir: {} },
      { name, configMap: { name: "x" } },
      { name, secret: { secretName: "y" } },
    ]);
  return compact({
    containers: names.map((name) => container(choice, share, name)),
    volumes: some(choice, share, () => subset(choice, ["v", "w"]).map(volume)),
    nodeSelector: some(choice, share / 2, () => strings(choice)),
    tolerations: some(choice, share / 2, () => [{ key: choice.of(letters), operator: "Exists" }]),
    terminationGracePeriodSeconds: some(choice, share / 2, () => choice.below(3) + 1),
    hostAliases: some(choice, share / 2, () => [
      { ip: choice.of(["10.0.0.1", "10.0.0.2"]), hostnames: subset(choice, letters) },
    ]),
  });
}

function deploymentSpec(choice: Choice, share: number): JsonObject {
  return compact({
    replicas: some(choice, share, () => choice.below(3)),
    selector: { matchLabels: { app: "a" } },
    strategy: some(choice, share / 2, () =>
      choice.of<Json>([
        { type: "Recreate" },
        { type: "RollingUpdate", rollingUpdate: { maxSurge: choice.of<Json>([1, "10%"]) } },
      ]),
    ),
    minReadySeconds: some(choice, share / 2, () => choice.below(2)),
    template: {
      metadata: compact({ labels: { app: "a" }, annotations: some(choice, share / 2, () => strings(choice)) }),
      spec: podSpec(choice, share),
    },
  });
}

/** Writes Deployments. */
export const deployments: Generator = {
  strategic: true,
  object: (choice, share) => ({
    metadata: metadata(choice, share),
    spec: deploymentSpec(choice, share),
    ...(choice.chance(0.3)
      ? {
          status: {
            conditions: subset(choice, ["A", "B"]).map((type) => ({ type, status: choice.of(["True", "False"]) })),
          },
        }
      : {}),
  }),
  patch: (choice) =>
    choice.of<JsonObject>([
      { spec: { replicas: choice.below(4) } },
      { spec: { template: { spec: { containers: [container(choice, 0.3, choice.of(["a", "b", "c"]))] } } } },
      { spec: { template: { spec: { containers: [{ name: choice.of(["a", "b"]), $patch: "delete" }] } } } },
      { spec: { template: { spec: { volumes: [{ name: "v", $retainKeys: ["name", "emptyDir"], emptyDir: {} }] } } } },
      { spec: { template: { metadata: { annotations: { a: null, b: "2" } } } } },
      { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
      {
        spec: {
          template: {
            spec: {
              "$setElementOrder/containers": [{ name: "b" }, { name: "c" }, { name: "a" }],
              containers: [container(choice, 0.3, "b")],
            },
          },
        },
      },
      { metadata: metadata(choice, 0.7), status: { conditions: [{ type: "A", status: "True" }] } },
      { metadata: { "$deleteFromPrimitiveList/finalizers": ["x.example.com/a"] } },
    ]),
  operations: (choice) =>
    choice.of<JsonObject[]>([
      [{ op: "replace", path: "/spec/replicas", value: choice.below(4) }],
      [{ op: "add", path: "/spec/template/spec/containers/0/env", value: [{ name: "X", value: "9" }] }],
      [{ op: "remove", path: "/spec/template/spec/containers/1" }],
      [{ op: "add", path: "/metadata/labels", value: strings(choice) }],
    ]),
};

/** Writes Services. */
export const services: Generator = {
  strategic: true,
  object: (choice, share) => ({
    metadata: metadata(choice, share),
    spec: compact({
      ports: [
        { name: "p80", port: 80, ...(choice.chance(0.5) ? { targetPort: choice.of<Json>([8080, "web"]) } : {}) },
        ...subset(choice, ["81", "82"]).map((port) => ({
          name: `p${port}`,
          port: Number(port),
          protocol: choice.of(["TCP", "UDP"]),
        })),
      ],
      selector: some(choice, share, () => strings(choice)),
      publishNotReadyAddresses: some(choice, share / 2, () => choice.chance(0.5)),
    }),
  }),
  patch: (choice) =>
    choice.of<JsonObject>([
      { spec: { ports: [{ name: "p80", port: 80, targetPort: choice.below(3) + 1 }] } },
      { spec: { selector: { a: choice.of<Json>(["1", "2", null]) } } },
      { spec: { ports: [{ port: 81, $patch: "delete" }] } },
      { metadata: metadata(choice, 0.7) },
    ]),
  operations: (choice) => [{ op: "add", path: "/spec/selector", value: strings(choice) }],
};

/** Writes Pods. Most of their fields can't change. */
export const pods: Generator = {
  strategic: true,
  object: (choice, share) => ({
    metadata: metadata(choice, share),
    spec: { containers: [container(choice, 0, "c")], activeDeadlineSeconds: choice.below(3) + 100 },
  }),
  patch: (choice) =>
    choice.of<JsonObject>([
      { spec: { containers: [{ name: "c", image: choice.of(["i1", "i2", "i3"]) }] } },
      { metadata: metadata(choice, 0.7) },
      { status: { conditions: [{ type: choice.of(["A", "B"]), status: "True" }] } },
    ]),
  operations: (choice) => [{ op: "replace", path: "/spec/containers/0/image", value: choice.of(["i1", "i4"]) }],
};

/** Writes ConfigMaps. */
export const configMaps: Generator = {
  strategic: true,
  object: (choice, share) =>
    compact({
      metadata: metadata(choice, share),
      data: some(choice, 0.8, () => strings(choice)),
      immutable: some(choice, 0.02, () => true),
    }),
  patch: (choice) => ({
    data: { [choice.of(letters)]: choice.of<Json>(["1", "2", null]) },
    metadata: metadata(choice, 0.5),
  }),
  operations: (choice) => [{ op: choice.of(["add", "remove"]), path: `/data/${choice.of(letters)}`, value: "3" }],
};
