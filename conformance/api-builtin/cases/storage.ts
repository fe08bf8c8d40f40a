import { each, type KindCases } from "../case.ts";

const storage = "/apis/storage.k8s.io/v1";
const gibibyte = { requests: { storage: "1Gi" } };

/** The cases of volumes, claims and storage classes. */
export const storageKinds: KindCases[] = [
  {
    path: "/api/v1/namespaces/default/persistentvolumeclaims",
    object: {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "claim" },
      spec: { accessModes: ["ReadWriteOnce"], resources: gibibyte },
    },
    creations: {
      ...each(
        "spec/accessModes",
        undefined,
        [],
        ["Other"],
        ["ReadWriteOncePod"],
        ["ReadWriteOncePod", "ReadWriteOnce"],
        ["ReadWriteOnce", "ReadWriteOnce"],
      ),
      ...each(
        "spec/resources",
        undefined,
        { requests: { storage: "0" } },
        { requests: { storage: "-1" } },
        { requests: { storage: "1m" } },
        {
          requests: { storage: "2Gi" },
          limits: { storage: "1Gi" },
        },
        { requests: { cpu: "1" } },
      ),
      ...each("spec/volumeMode", "Other", "Block"),
      ...each("spec/storageClassName", "A_b", "", "ok"),
      ...each("spec/volumeName", "A_b", "v"),
      ...each(
        "spec/selector",
        { matchLabels: { "a b": "c" } },
        { matchExpressions: [{ key: "a", operator: "Other" }] },
      ),
      ...each(
        "spec/dataSource",
        { kind: "", name: "" },
        { kind: "PersistentVolumeClaim", name: "a" },
        { kind: "Other", name: "a" },
        { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "a" },
        { apiGroup: "a b", kind: "X", name: "a" },
      ),
      ...each(
        "spec/dataSourceRef",
        { kind: "Pod", name: "a" },
        { apiGroup: "example.com", kind: "X", name: "a" },
        { apiGroup: "example.com", kind: "X", name: "a", namespace: "x" },
      ),
      "different sources": {
        "spec/dataSource": { kind: "PersistentVolumeClaim", name: "a" },
        "spec/dataSourceRef": { kind: "PersistentVolumeClaim", name: "b" },
      },
      ...each("spec/volumeAttributesClassName", "A_b", "a"),
      ...each("status", { phase: "Bound" }),
      ...each("metadata/annotations", { "volume.beta.kubernetes.io/storage-class": "x" }),
    },
    updates: {
      ...each("spec/accessModes", ["ReadWriteMany"]),
      ...each("spec/resources/requests/storage", "2Gi", "512Mi"),
      ...each("spec/volumeName", "v"),
      ...each("spec/storageClassName", "x"),
      ...each("spec/volumeMode", "Block"),
      ...each("metadata/labels", { a: "b" }),
    },
    statuses: each(
      "status",
      { phase: "Bound" },
      { phase: "Bound", capacity: { storage: "-1" } },
      {
        phase: "Bound",
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
      },
      { conditions: [{ type: "Resizing", status: "True" }] },
    ),
    pairs: {
      "a bound claim that grows": [
        { "spec/volumeName": "v", "spec/storageClassName": "x" },
        { "spec/resources/requests/storage": "2Gi" },
      ],
    },
  },
  {
    path: "/api/v1/persistentvolumes",
    object: {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "volume" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
    },
    creations: {
      ...each(
        "spec/capacity",
        undefined,
        {},
        { cpu: "1" },
        { storage: "0" },
        { storage: "-1" },
        { storage: "1Gi", cpu: "1" },
      ),
      ...each("spec/accessModes", undefined, ["Other"], ["ReadWriteOncePod", "ReadOnlyMany"]),
      ...each("spec/persistentVolumeReclaimPolicy", "Other", "Delete", "Recycle"),
      ...each("spec/hostPath", undefined, { path: "" }, { path: "../a" }, { path: "/a", type: "Other" }, { path: "/" }),
      "recycle of the root": { "spec/hostPath": { path: "/" }, "spec/persistentVolumeReclaimPolicy": "Recycle" },
      ...each("spec/nfs", { server: "", path: "x" }, { server: "a", path: "/b" }),
      ...each("spec/storageClassName", "A_b"),
      ...each("spec/volumeMode", "Other"),
      ...each("spec/claimRef", { name: "a" }, { kind: "PersistentVolumeClaim", namespace: "default", name: "a" }),
      ...each("spec/mountOptions", ["a"]),
      ...each("spec/volumeAttributesClassName", "A_b", ""),
      ...each(
        "spec/nodeAffinity",
        {},
        { required: { nodeSelectorTerms: [] } },
        { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }] } },
      ),
      "a local volume without a node": { "spec/hostPath": undefined, "spec/local": { path: "/a" } },
      "a local volume": {
        "spec/hostPath": undefined,
        "spec/local": { path: "../a" },
        "spec/nodeAffinity": {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }] },
        },
      },
      "a driver's volume": { "spec/hostPath": undefined, "spec/csi": { driver: "a", volumeHandle: "b" } },
      "an incomplete driver's volume": {
        "spec/hostPath": undefined,
        "spec/csi": {
          driver: "a b",
          volumeHandle: "",
          controllerPublishSecretRef: { name: "" },
          nodeStageSecretRef: { name: "A", namespace: "" },
        },
      },
      ...each("status", { phase: "Bound" }),
      ...each(
        "metadata/annotations",
        { "volume.beta.kubernetes.io/storage-class": "x" },
        { "volume.beta.kubernetes.io/mount-options": "x" },
      ),
    },
    updates: {
      ...each("spec/hostPath", { path: "/b" }),
      ...each("spec/capacity", { storage: "2Gi" }),
      ...each("spec/volumeMode", "Block"),
      ...each("spec/storageClassName", "x"),
      ...each("spec/persistentVolumeReclaimPolicy", "Delete"),
      ...each("spec/nodeAffinity", {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }] },
      }),
      ...each("metadata/labels", { a: "b" }),
    },
    statuses: each("status", { phase: "Bound" }, { phase: "Failed", message: "m", reason: "r" }),
    pairs: {
      "another node": [
        {
          "spec/nodeAffinity": {
            required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }] },
          },
        },
        {
          "spec/nodeAffinity": {
            required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["c"] }] }] },
          },
        },
      ],
    },
  },
  {
    path: `${storage}/storageclasses`,
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "class" },
      provisioner: "example.com/a",
    },
    creations: {
      ...each("provisioner", undefined, "a b", "A/B"),
      ...each("parameters", { "": "x" }, { a: "b" }, { a: "x".repeat(300 * 1024) }),
      ...each("reclaimPolicy", "Other", "Recycle", "Retain"),
      ...each("volumeBindingMode", "Other", "WaitForFirstConsumer"),
      ...each("mountOptions", ["a"]),
      ...each("allowVolumeExpansion", true),
      ...each(
        "allowedTopologies",
        [],
        [{}],
        [{ matchLabelExpressions: [{ key: "a", values: [] }] }],
        [{ matchLabelExpressions: [{ key: "a b", values: ["x", "x"] }] }],
        [
          {
            matchLabelExpressions: [
              { key: "a", values: ["x"] },
              { key: "a", values: ["y"] },
            ],
          },
        ],
        [
          { matchLabelExpressions: [{ key: "a", values: ["x"] }] },
          { matchLabelExpressions: [{ key: "a", values: ["x"] }] },
        ],
        [{ matchLabelExpressions: [{ key: "failure-domain.beta.kubernetes.io/zone", values: ["x"] }] }],
      ),
      ...each("metadata/name", "A_b"),
    },
    updates: {
      ...each("provisioner", "b"),
      ...each("parameters", { a: "b" }),
      ...each("reclaimPolicy", "Retain"),
      ...each("volumeBindingMode", "WaitForFirstConsumer"),
      ...each("allowVolumeExpansion", true),
      ...each("mountOptions", ["a"]),
    },
  },
  {
    path: `${storage}/csidrivers`,
    object: { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: { name: "driver.example.com" }, spec: {} },
    creations: {
      ...each("metadata/name", "a b%", `${"x".repeat(64)}.%`),
      ...each("spec/fsGroupPolicy", "Other"),
      ...each("spec/volumeLifecycleModes", ["Other"], ["Ephemeral"]),
      ...each("spec/tokenRequests", [{ audience: "a" }, { audience: "a" }], [{ audience: "a", expirationSeconds: 5 }]),
    },
    updates: {
      ...each("spec/attachRequired", false),
      ...each("spec/podInfoOnMount", true),
      ...each("spec/fsGroupPolicy", "None"),
    },
  },
  {
    path: `${storage}/volumeattributesclasses`,
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "VolumeAttributesClass",
      metadata: { name: "attributes" },
      driverName: "a",
      parameters: { a: "b" },
    },
    creations: { ...each("driverName", undefined, "a b"), ...each("parameters", undefined, { "": "x" }) },
    updates: { ...each("driverName", "b"), ...each("parameters", { a: "c" }) },
  },
];
