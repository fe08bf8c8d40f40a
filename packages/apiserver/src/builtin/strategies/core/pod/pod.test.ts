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

const certificate = { signerName: "example.com/a", keyType: "ED25519" };
const labelKey =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function projected(...sources: JsonObject[]): JsonObject[] {
  return [{ name: "v", projected: { sources, defaultMode: 420 } }];
}

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
    "a trust bundle has a name or a signer",
    {
      volumes: projected(
        { clusterTrustBundle: { path: "a" } },
        { clusterTrustBundle: { name: "a:b:c", path: "../b", labelSelector: {} } },
        { clusterTrustBundle: { signerName: "a.b/c", path: "a", labelSelector: { matchLabels: { "-": "b" } } } },
      ),
    },
    [
      "spec.volumes[0].projected.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified",
      "spec.volumes[0].projected.sources[1].clusterTrustBundle.labelSelector: Invalid value: {}: labelSelector must be unset if name is specified",
      "spec.volumes[0].projected.sources[1].clusterTrustBundle.path: Invalid value: \"../b\": must not contain '..'",
      `spec.volumes[0].projected.sources[2].clusterTrustBundle.labelSelector.matchLabels: Invalid value: "-": ${labelKey}`,
      'spec.volumes[0].projected: Invalid value: "a": conflicting duplicate paths',
    ],
  ],
  [
    "a certificate is valid for an hour to 91 days, or a day if Kubernetes signs it",
    {
      volumes: projected(
        { podCertificate: { ...certificate, maxExpirationSeconds: 3599, keyPath: "a" } },
        { podCertificate: { ...certificate, maxExpirationSeconds: 7862401, keyPath: "b" } },
        {
          podCertificate: { ...certificate, maxExpirationSeconds: 86401, signerName: "kubernetes.io/a", keyPath: "c" },
        },
        { podCertificate: { ...certificate, maxExpirationSeconds: 7862400, keyPath: "d" } },
      ),
    },
    [
      "spec.volumes[0].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 3599: if provided, maxExpirationSeconds must be >= 3600",
      "spec.volumes[0].projected.sources[1].podCertificate.maxExpirationSeconds: Invalid value: 7862401: if provided, maxExpirationSeconds must be <= 7862400",
      "spec.volumes[0].projected.sources[2].podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400",
    ],
  ],
  [
    "a projected source has one kind",
    { volumes: projected({ secret: { name: "a" }, podCertificate: { ...certificate, keyPath: "a" } }) },
    ["spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source"],
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
