import type { JsonObject } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { callsOf } from "../../strategy.fixture.ts";
import { persistentVolume } from "./persistent-volume.ts";

const { create, update } = callsOf(persistentVolume);
const valid = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/a", type: "" } };
const errorsOf = (fields: JsonObject): string[] => create({ spec: { ...valid, ...fields } }).errors;
const terms = [{ matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }] }];

it.each<[rule: string, fields: JsonObject, errors: string[]]>([
  ["a valid volume has no errors", {}, []],
  ["a volume needs a source", { hostPath: null }, ["spec: Required value: must specify a volume type"]],
  [
    "a volume must have only one source",
    { nfs: { server: "a", path: "/b" } },
    ["spec.nfs: Forbidden: may not specify more than 1 volume type"],
  ],
  [
    "the root directory of a node must not be recycled",
    { hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" },
    ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
  ],
  [
    "a local volume needs a node affinity",
    { hostPath: null, local: { path: "/a" } },
    ["spec.nodeAffinity: Required value: Local volume requires node affinity"],
  ],
  [
    "a capacity must be positive",
    { capacity: { storage: "-1" } },
    [
      "spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
      'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
    ],
  ],
  [
    "an attributes class needs a CSI driver",
    { volumeAttributesClassName: "" },
    [
      "spec.volumeAttributesClassName: Required value: an empty string is disallowed",
      "spec.csi: Required value: has to be specified when using volumeAttributesClassName",
    ],
  ],
  [
    "references to Secrets of drivers need a name and a namespace",
    { hostPath: null, csi: { driver: "d", volumeHandle: "h", nodeStageSecretRef: {}, nodePublishSecretRef: {} } },
    ["spec.csi.nodePublishSecretRef.name: Required value", "spec.csi.nodePublishSecretRef.namespace: Required value"],
  ],
  [
    "the IQN and LUN of an iSCSI volume must be valid",
    { hostPath: null, iscsi: { targetPortal: "p", iqn: "x", lun: 256 } },
    [
      'spec.iscsi.iqn: Invalid value: "x": must be valid format',
      "spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive",
    ],
  ],
])("%s", (_rule, fields, errors) => {
  expect(errorsOf(fields)).toEqual(errors);
});

it("the source, the mode and the nodes can't change", () => {
  const before = {
    spec: { ...valid, volumeMode: "Filesystem", nodeAffinity: { required: { nodeSelectorTerms: terms } } },
  };
  const other = [{ matchExpressions: [{ key: "a", operator: "Exists" }] }];
  const nodeAffinity = { required: { nodeSelectorTerms: other } };
  const changed = { ...valid, volumeMode: "Block", hostPath: { path: "/b", type: "" }, nodeAffinity };
  expect(update(before, { spec: changed })).toEqual([
    expect.stringMatching(/^spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable/),
    'volumeMode: Invalid value: "Block": field is immutable',
    'nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"a","Operator":"Exists","Values":null}],"MatchFields":null}]}}: field is immutable, except for updating from beta label to GA',
  ]);
});

it("an update can only replace deprecated labels in the node affinity", () => {
  const affinity = (...keys: string[]) => ({
    required: { nodeSelectorTerms: keys.map((key) => ({ matchExpressions: [{ key, operator: "Exists" }] })) },
  });
  const updated = (before: string[], now: string[]) =>
    update(
      { spec: { ...valid, nodeAffinity: affinity(...before) } },
      { spec: { ...valid, nodeAffinity: affinity(...now) } },
    );
  const [beta, stable] = ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"];
  expect(updated([beta, "a"], [stable, "a"])).toEqual([]);
  const refused: [string[], string[]][] = [
    [[stable], [beta]],
    [[beta], [stable, "a"]],
    [[beta], ["kubernetes.io/os"]],
    [
      [beta, "a"],
      [stable, "b"],
    ],
  ];
  for (const [before, now] of refused) {
    expect(updated(before, now)).toEqual([expect.stringContaining("except for updating from beta label to GA")]);
  }
});

it("an update can add the Secret for the expansion of a CSI volume", () => {
  const csi = { driver: "d", volumeHandle: "h" };
  const spec = { ...valid, hostPath: null, csi };
  const secret = { name: "a", namespace: "b" };
  expect(update({ spec }, { spec: { ...spec, csi: { ...csi, controllerExpandSecretRef: secret } } })).toEqual([]);
});

it("warns about policies, annotations and labels that are deprecated", () => {
  const annotation = "volume.beta.kubernetes.io/storage-class";
  const metadata = { name: "a", annotations: { [annotation]: "x" } };
  const nodeAffinity = { required: { nodeSelectorTerms: terms } };
  const spec = { ...valid, persistentVolumeReclaimPolicy: "Recycle", nodeAffinity };
  expect(create({ metadata, spec }).warnings).toEqual([
    `metadata.annotations[${annotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    expect.stringContaining("The Recycle reclaim policy is deprecated."),
    expect.stringContaining('beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead'),
  ]);
});

it("an update reports each error of the specification twice, as the server does", () => {
  const error = "spec.accessModes: Required value";
  expect(update({ spec: valid }, { spec: { ...valid, accessModes: [] } })).toEqual([error, error]);
});
