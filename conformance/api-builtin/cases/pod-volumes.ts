import type { JsonObject } from "@kubewright/cel/json";
import type { KindCases } from "../case.ts";

const volume = "spec/volumes/0";

/** Makes the cases of the volumes of a Pod and their mounts. */
export function volumes(): KindCases["creations"] {
  const sources: JsonObject[] = [
    {},
    { emptyDir: { sizeLimit: "-1" } },
    { emptyDir: {}, hostPath: { path: "/a" } },
    { hostPath: {} },
    { hostPath: { path: "../a", type: "Other" } },
    { secret: {} },
    {
      secret: {
        secretName: "a",
        defaultMode: 4096,
        items: [
          { key: "", path: "" },
          { key: "a", path: "../b" },
        ],
      },
    },
    { secret: { secretName: "A" } },
    { configMap: {} },
    { configMap: { name: "a", items: [{ key: "k", path: "/abs", mode: -1 }] } },
    { persistentVolumeClaim: {} },
    { persistentVolumeClaim: { claimName: "A" } },
    { downwardAPI: { items: [{ path: "a" }, { path: "", fieldRef: { fieldPath: "metadata.name" } }] } },
    {
      downwardAPI: {
        items: [
          { path: "a", fieldRef: { fieldPath: "spec.nodeName" } },
          { path: "b", resourceFieldRef: { resource: "limits.cpu" } },
          { path: "c", resourceFieldRef: { resource: "limits.cpu", containerName: "app" } },
        ],
      },
    },
    { projected: { sources: [{}] } },
    { projected: { sources: [{ configMap: { name: "" } }, { secret: { name: "" } }] } },
    {
      projected: {
        defaultMode: 1000,
        sources: [
          { serviceAccountToken: { path: "", expirationSeconds: 5 } },
          { configMap: { name: "a", items: [{ key: "a", path: "x" }] } },
          { secret: { name: "b", items: [{ key: "a", path: "x" }] } },
        ],
      },
    },
    { nfs: {} },
    { nfs: { server: "a", path: "b" } },
    { csi: {} },
    { csi: { driver: "a b", nodePublishSecretRef: { name: "" } } },
    { ephemeral: {} },
    { ephemeral: { volumeClaimTemplate: { spec: {} } } },
    { image: {} },
    { image: { reference: "a", pullPolicy: "Other" } },
    { iscsi: { targetPortal: "", iqn: "x", lun: 0 } },
    { fc: {} },
    { cephfs: { monitors: [] } },
    { gitRepo: { repository: "" } },
    { glusterfs: { endpoints: "", path: "" } },
    { awsElasticBlockStore: { volumeID: "" } },
  ];
  return {
    ...Object.fromEntries(
      sources.map((source) => [`volume ${JSON.stringify(source)}`, { [volume]: { name: "v", ...source } }]),
    ),
    "a volume without a name": { [volume]: { emptyDir: {} } },
    "a volume with a bad name": { [volume]: { name: "A", emptyDir: {} } },
    "two volumes of one name": { "spec/volumes": [{ name: "v" }, { name: "v" }] },
    "mounts of one path": {
      [volume]: { name: "v", emptyDir: {} },
      "spec/containers/0/volumeMounts": [
        { name: "v", mountPath: "/a" },
        { name: "v", mountPath: "/a" },
      ],
    },
    "mounts with paths out of their volume": {
      [volume]: { name: "v", emptyDir: {} },
      "spec/containers/0/volumeMounts": [
        { name: "v", mountPath: "/a", subPath: "../x" },
        { name: "v", mountPath: "/b", subPath: "/x" },
        { name: "v", mountPath: "/c", subPath: "x", subPathExpr: "y" },
        { name: "v", mountPath: "/d", mountPropagation: "Other" },
        { name: "v", mountPath: "/e", mountPropagation: "Bidirectional" },
        { name: "v", mountPath: "/f:g", recursiveReadOnly: "Enabled" },
      ],
    },
  };
}
