import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

const storage = "storage.k8s.io/v1";

/** The cases of the kinds that storage drivers write. */
export const driverKinds: KindCases[] = [
  {
    ...kind(storage, "CSINode", { spec: { drivers: [{ name: "a.example.com", nodeID: "n" }] } }, false),
    creations: {
      ...each(
        "spec/drivers",
        [],
        [{}],
        [{ name: "A b", nodeID: "n" }],
        [{ name: "a", nodeID: "" }],
        [{ name: "a", nodeID: "x".repeat(260) }],
        [
          { name: "a", nodeID: "n" },
          { name: "a", nodeID: "m" },
        ],
        [{ name: "a", nodeID: "n", allocatable: { count: -1 } }],
        [{ name: "a", nodeID: "n", topologyKeys: ["a b", ""] }],
        [{ name: "a", nodeID: "n", topologyKeys: ["a", "a"] }],
        [{ name: "x".repeat(70), nodeID: "n" }],
      ),
    },
    updates: each(
      "spec/drivers",
      [],
      [{ name: "a.example.com", nodeID: "other" }],
      [{ name: "a.example.com", nodeID: "n", topologyKeys: ["a"] }],
      [{ name: "a.example.com", nodeID: "n", allocatable: { count: 5 } }],
      [
        { name: "a.example.com", nodeID: "n" },
        { name: "b", nodeID: "n" },
      ],
    ),
  },
  {
    ...kind(
      storage,
      "CSIStorageCapacity",
      { storageClassName: "a", nodeTopology: {}, capacity: "1Gi" },
      true,
      "csistoragecapacities",
    ),
    creations: {
      ...each("storageClassName", undefined, "A b"),
      ...each("capacity", "-1", undefined),
      ...each("maximumVolumeSize", "-1", "1Gi"),
      ...each("nodeTopology", undefined, { matchLabels: { "a b": "c" } }),
    },
    updates: {
      ...each("storageClassName", "b"),
      ...each("nodeTopology", { matchLabels: { a: "b" } }),
      ...each("capacity", "2Gi"),
    },
  },
  {
    ...kind(
      storage,
      "VolumeAttachment",
      {
        spec: { attacher: "a.example.com", nodeName: "n", source: { persistentVolumeName: "v" } },
      },
      false,
    ),
    creations: {
      ...each("spec/attacher", undefined, "A b", "x".repeat(70)),
      ...each("spec/nodeName", undefined, "A b"),
      ...each(
        "spec/source",
        undefined,
        {},
        { persistentVolumeName: "" },
        { persistentVolumeName: "A b" },
        { persistentVolumeName: "v", inlineVolumeSpec: { capacity: { storage: "1Gi" } } },
        {
          inlineVolumeSpec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/a" } },
        },
        {
          inlineVolumeSpec: {
            accessModes: ["ReadWriteOnce"],
            capacity: { storage: "1Gi" },
            csi: { driver: "a.example.com", volumeHandle: "h" },
          },
        },
      ),
      ...each("status", { attached: true }, { attached: false, attachError: { message: "m", errorCode: 5 } }),
    },
    updates: each("spec/nodeName", "m", undefined),
    statuses: each(
      "status",
      { attached: true },
      { attached: true, attachmentMetadata: { a: "x".repeat(1100) } },
      { attached: true, attachError: { message: "x".repeat(1100) } },
      { attached: true, attachError: { message: "m", errorCode: 5 }, detachError: { message: "n", errorCode: -5 } },
    ),
  },
];
