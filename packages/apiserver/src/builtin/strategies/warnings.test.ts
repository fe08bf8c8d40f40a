import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
});
afterAll(() => server.stop());

let count = 0;

async function send(method: string, url: string, body: JsonObject): Promise<{ warnings: string[]; body: JsonObject }> {
  const headers = { "content-type": "application/json" };
  const answer = await server.handle({ method, url, headers, body: JSON.stringify(body) });
  const warnings = [answer.headers.warning ?? []].flat().map((one) => JSON.parse(String(one).slice("299 - ".length)));
  return { warnings: warnings, body: JSON.parse(String(answer.body)) as JsonObject };
}

const container = { name: "app", image: "app:1" };
const url = "/apis/apps/v1/namespaces/default/deployments";

function deployment(spec: JsonObject, annotations: JsonObject = {}, name = `test-${count++}`): JsonObject {
  const metadata = { labels: { a: "b" }, annotations };
  const template = { metadata, spec: { containers: [container], ...spec } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: { selector: { matchLabels: { a: "b" } }, template },
  };
}

const path = "spec.template.spec";
const withContainer = (fields: JsonObject): JsonObject => ({ containers: [{ ...container, ...fields }] });
const terms = [{ matchExpressions: [{ key: "beta.kubernetes.io/arch", operator: "Exists" }] }];

it.each<[rule: string, spec: JsonObject, warnings: string[]]>([
  [
    "ports that are defined twice",
    withContainer({ ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
    [`${path}.containers[0].ports[1]: duplicate port definition with ${path}.containers[0].ports[0]`],
  ],
  [
    "ports that are defined with and without a host port",
    withContainer({ ports: [{ containerPort: 80 }, { containerPort: 80, hostPort: 80 }] }),
    [`${path}.containers[0].ports[1]: overlapping port definition with ${path}.containers[0].ports[0]`],
  ],
  [
    "host ports with and without an address",
    withContainer({
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 80, hostPort: 80, hostIP: "1.2.3.4" },
      ],
    }),
    [`${path}.containers[0].ports[1]: dangerously ambiguous port definition with ${path}.containers[0].ports[0]`],
  ],
  [
    "port names that two containers use",
    {
      initContainers: [{ ...container, name: "a", ports: [{ name: "http", containerPort: 80 }] }],
      containers: [{ ...container, ports: [{ name: "http", containerPort: 81 }] }],
    },
    [
      `${path}.containers[0].ports[0]: duplicate port name "http" with ${path}.initContainers[0].ports[0], services and probes that select ports by name will use ${path}.initContainers[0].ports[0]`,
    ],
  ],
  [
    "repeated environment variables",
    withContainer({
      env: [
        { name: "A", value: "1" },
        { name: "A", value: "$(A)2" },
        { name: "A", value: "3" },
      ],
    }),
    [`${path}.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply`],
  ],
  [
    "fractions of bytes",
    withContainer({ resources: { requests: { memory: "128m" } } }),
    [`${path}.containers[0].resources.requests[memory]: fractional byte value "128m" is invalid, must be an integer`],
  ],
  [
    "deprecated node labels",
    {
      nodeSelector: { "beta.kubernetes.io/os": "linux" },
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
      },
    },
    [
      `${path}.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead`,
      `${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead`,
    ],
  ],
  [
    "rules without a selector",
    {
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "a" }] } },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" }],
    },
    [
      `${path}.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod`,
      `${path}.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod`,
    ],
  ],
  [
    "deprecated volume types",
    { volumes: [{ name: "v", gitRepo: { repository: "r" } }] },
    [`${path}.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+`],
  ],
  [
    "overlapping paths in a volume",
    {
      volumes: [
        {
          name: "v",
          configMap: {
            name: "m",
            items: [
              { key: "a", path: "x" },
              { key: "b", path: "x/y" },
            ],
          },
        },
      ],
    },
    ['volume "v" (ConfigMap "m"): overlapping paths: "x/y" with "x"'],
  ],
  [
    "repeated Secrets and host aliases",
    {
      imagePullSecrets: [{ name: "s" }, { name: "s" }],
      hostAliases: [
        { ip: "1.2.3.4", hostnames: ["a"] },
        { ip: "1.2.3.4", hostnames: ["b"] },
      ],
    },
    [`${path}.hostAliases[1].ip: duplicate ip "1.2.3.4"`, `${path}.imagePullSecrets[1].name: duplicate name "s"`],
  ],
  [
    "addresses in non-canonical form",
    { hostAliases: [{ ip: "FD00::1", hostnames: ["a"] }] },
    [`${path}.hostAliases[0].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")`],
  ],
  [
    "a negative grace period",
    { terminationGracePeriodSeconds: -1 },
    [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`],
  ],
])("warns about %s in templates", async (_rule, spec, warnings) => {
  const answer = await send("POST", url, deployment(spec));
  expect(answer.body).toMatchObject({ kind: "Deployment" });
  expect(answer.warnings).toEqual(warnings);
});

it("warns about annotations that are replaced by fields", async () => {
  const seccomp = "seccomp.security.alpha.kubernetes.io/pod";
  const appArmor = "container.apparmor.security.beta.kubernetes.io/app";
  const annotations = { [seccomp]: "unconfined", [appArmor]: "unconfined" };
  const at = "spec.template.metadata.annotations";
  expect((await send("POST", url, deployment({}, annotations))).warnings).toEqual([
    `${at}[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`,
    `${at}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
  ]);
  const securityContext = { appArmorProfile: { type: "Unconfined" } };
  const kept = await send("POST", url, deployment({ securityContext }, { [appArmor]: "unconfined" }));
  expect(kept.warnings).toEqual([]);
});

it("warns about names that aren't valid host names", async () => {
  const { warnings } = await send("POST", url, deployment({}, {}, "a.b"));
  expect(warnings).toEqual([expect.stringMatching(/^metadata.name: this is used in Pod names and hostnames, .*\]$/)]);
});

it("warns again only if an update changes the object", async () => {
  const spec = withContainer({ ports: [{ containerPort: 80 }, { containerPort: 80 }] });
  const { body } = await send("POST", url, deployment(spec));
  const at = `${url}/${(body.metadata as JsonObject).name}`;
  expect((await send("PUT", at, body)).warnings).toEqual([]);
  const changed = { ...body, spec: { ...(body.spec as JsonObject), replicas: 2 } };
  expect((await send("PUT", at, changed)).warnings).toHaveLength(1);
});

it("warns that the Pods of a deleted Job stay, unless the request sets a propagation policy", async () => {
  const jobs = "/apis/batch/v1/namespaces/default/jobs";
  const create = (name: string) => {
    const template = { spec: { containers: [container], restartPolicy: "Never" } };
    return send("POST", jobs, { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec: { template } });
  };
  await create("a");
  const { warnings } = await send("DELETE", `${jobs}/a`, {});
  expect(warnings).toEqual([expect.stringMatching(/^child pods are preserved by default when jobs are deleted; /)]);
  await create("b");
  expect((await send("DELETE", `${jobs}/b`, { propagationPolicy: "Background" })).warnings).toEqual([]);
});

it("warns of the annotation for mountable Secrets when it is set, and keeps only the names of Secrets", async () => {
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  const name = "kubernetes.io/enforce-mountable-secrets";
  const warning = `metadata.annotations[${name}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
  const annotations = { [name]: "false" };
  const created = await send("POST", accounts, {
    metadata: { name: "a", annotations },
    secrets: [{ name: "s", namespace: "other", kind: "Secret" }],
  });
  expect(created.warnings).toEqual([warning]);
  expect(created.body.secrets).toEqual([{ name: "s" }]);
  const changed = { ...annotations, more: "1" };
  expect((await send("PUT", `${accounts}/a`, { metadata: { name: "a", annotations: changed } })).warnings).toEqual([]);
  await send("PUT", `${accounts}/a`, { metadata: { name: "a" } });
  expect((await send("PUT", `${accounts}/a`, { metadata: { name: "a", annotations } })).warnings).toEqual([warning]);
});
