import type { JsonObject } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { callsOf } from "../../strategy.fixture.ts";
import { pod } from "./pod.ts";

const { create, update } = callsOf(pod);
const container = { name: "app", image: "app:1", terminationMessagePolicy: "File", imagePullPolicy: "Always" };
const spec = {
  containers: [container],
  restartPolicy: "Always",
  dnsPolicy: "ClusterFirst",
  terminationGracePeriodSeconds: 30,
};
const errorsOf = (fields: JsonObject): string[] => create({ spec: { ...spec, ...fields } }).errors;
const appArmor = "container.apparmor.security.beta.kubernetes.io/";

it("a Pod with scheduling gates has the condition PodScheduled with the reason SchedulingGated", () => {
  expect(create({ spec: { ...spec, schedulingGates: [{ name: "a" }] } }).object.status).toMatchObject({
    conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
  });
  expect(create({ spec }).object.status).not.toHaveProperty("conditions");
});

it("annotations for AppArmor are copied to fields, with a warning", () => {
  const metadata = { name: "a", annotations: { [`${appArmor}app`]: "unconfined" } };
  const { object, warnings } = create({ metadata, spec });
  expect(object.spec).toMatchObject({ containers: [{ securityContext: { appArmorProfile: { type: "Unconfined" } } }] });
  expect(warnings).toEqual([
    `metadata.annotations[${appArmor}app]: deprecated since v1.30; use the "appArmorProfile" field instead`,
  ]);
});

it("checks the annotations that Kubernetes reads", () => {
  const seccomp = "seccomp.security.alpha.kubernetes.io/pod";
  const annotations = {
    [seccomp]: "x",
    [`${appArmor}other`]: "bad",
    "controller.kubernetes.io/pod-deletion-cost": "+1",
  };
  expect(create({ metadata: { name: "a", annotations }, spec }).errors).toEqual([
    'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
    `metadata.annotations.${seccomp}: Invalid value: "x": must be a valid seccomp profile`,
    `metadata.annotations[${appArmor}other]: Invalid value: "other": container not found`,
    `metadata.annotations[${appArmor}other]: Invalid value: "bad": invalid AppArmor profile name: "bad"`,
  ]);
});

it.each<[rule: string, fields: JsonObject, errors: string[]]>([
  [
    "containers can share only CPU, memory and huge pages",
    { resources: { limits: { "example.com/a": "1" } } },
    [
      'spec.resources.limits[example.com/a]: Unsupported value: "example.com/a": supported values: "cpu", "hugepages-", "memory"',
    ],
  ],
  [
    "a projected token needs a ServiceAccount",
    {
      volumes: [
        { name: "v", projected: { sources: [{ serviceAccountToken: { path: "a", expirationSeconds: 600 } }] } },
      ],
    },
    [
      "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set",
    ],
  ],
  [
    "an ephemeral volume needs a claim template",
    { volumes: [{ name: "v", ephemeral: {} }] },
    ["spec.volumes[0].ephemeral.volumeClaimTemplate: Required value"],
  ],
  [
    "a Windows user needs a name",
    { securityContext: { windowsOptions: { runAsUserName: "domain\\" } } },
    [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "domain\\\\": runAsUserName\'s User cannot be empty',
    ],
  ],
  [
    "addresses of name servers must not have leading zeros",
    { dnsConfig: { nameservers: ["01.2.3.4"] } },
    ['spec.dnsConfig.nameservers[0]: Invalid value: "01.2.3.4": must not have leading 0s'],
  ],
])("%s", (_rule, fields, errors) => {
  expect(errorsOf(fields)).toEqual(errors);
});

it("checks the addresses, conditions and the chosen node in the status", () => {
  const status = {
    podIP: "1.2.3.4",
    podIPs: [{ ip: "1.2.3.4" }, { ip: "1.2.3.5" }],
    conditions: [{ type: "a b", status: "True" }],
    nominatedNodeName: "A_b",
  };
  expect(update({ spec, status: {} }, { spec, status }, "status")).toEqual([
    expect.stringMatching(/^status.conditions\[0\].Type: Invalid value: "a b"/),
    expect.stringMatching(/^status.nominatedNodeName: Invalid value: "A_b"/),
    'status.podIPs: Invalid value: [{"IP":"1.2.3.4"},{"IP":"1.2.3.5"}]: may specify no more than one IP for each IP family',
  ]);
});

it("the error of a forbidden update shows the differences", () => {
  const other = { ...spec, nodeSelector: { a: "b" }, containers: [{ ...container, image: "app:2" }] };
  const [error = ""] = update({ spec }, { spec: other });
  expect(error).toMatch(/^spec: Forbidden: pod updates may not change fields other than /);
  expect(error.slice(error.indexOf("\n"))).toBe(`
@@ -39,7 +39,9 @@
  "TerminationGracePeriodSeconds": 30,
  "ActiveDeadlineSeconds": null,
  "DNSPolicy": "ClusterFirst",
- "NodeSelector": null,
+ "NodeSelector": {
+  "a": "b"
+ },
  "ServiceAccountName": "",
  "DeprecatedServiceAccount": "",
  "AutomountServiceAccountToken": null,
`);
});

it("an update of a gated Pod can only add requirements to its node affinity", () => {
  const requirement = { key: "a", operator: "Exists" };
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const gated = (...terms: JsonObject[]): JsonObject => ({
    spec: {
      ...spec,
      schedulingGates: [{ name: "g" }],
      ...(terms.length === 0 ? {} : { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: terms } } } }),
    },
  });
  const before = { matchExpressions: [requirement] };
  const more = { matchExpressions: [requirement, { key: "b", operator: "Exists" }] };
  const path = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  expect(update(gated(), gated(before))).toEqual([]);
  expect(update(gated(before), gated(more))).toEqual([]);
  expect(update(gated(more), gated(before))).toEqual([
    `${path}[0]: Invalid value: {"MatchExpressions":[{"Key":"a","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
  ]);
  expect(update(gated(before), gated())).toEqual([
    `${path}: Invalid value: null: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
  ]);
  expect(update({ spec: { ...spec } }, gated(before))).not.toEqual([]);
});
