import type { JsonObject } from "../../../apiserver/src/json/json.ts";
import { each, type KindCases } from "../case.ts";

const container = "spec/containers/0";
const probe = `${container}/livenessProbe`;
const volume = "spec/volumes/0";

const requiredNodes = "spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";
const exists = { key: "a", operator: "Exists" };

/** The cases of Pods. */
export const pods: KindCases = {
  path: "/api/v1/namespaces/default/pods",
  object: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "pod" },
    spec: { containers: [{ name: "app", image: "app:1" }] },
  },
  creations: {
    ...each("spec/containers", [], undefined),
    ...each(`${container}/name`, undefined, "A b", "a".repeat(64)),
    ...each(`${container}/image`, undefined, " a", "a "),
    ...each(`${container}/imagePullPolicy`, "Sometimes"),
    ...each(`${container}/terminationMessagePolicy`, "Other"),
    ...each(
      `${container}/ports`,
      [{}],
      [{ containerPort: 70000 }],
      [{ containerPort: 80, protocol: "ICMP" }],
      [
        { containerPort: 80, hostPort: 90 },
        { containerPort: 81, hostPort: 90 },
      ],
      [{ containerPort: 80, hostPort: 70000 }],
      [
        { name: "a", containerPort: 80 },
        { name: "a", containerPort: 81 },
      ],
      [{ name: "Too-Long-Name-For-A-Port", containerPort: 80 }],
      [{ containerPort: 80, hostIP: "x" }],
    ),
    ...each(
      `${container}/env`,
      [{ value: "x" }],
      [{ name: "a=b" }],
      [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
      [{ name: "A", valueFrom: {} }],
      [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.none" } } }],
      [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a/b/c']" } } }],
      [{ name: "A", valueFrom: { fieldRef: { fieldPath: "" } } }],
      [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.podIP", apiVersion: "v2" } } }],
      [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.gpu" } } }],
      [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "3" } } }],
      [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } } }],
      [{ name: "A", valueFrom: { secretKeyRef: { name: "", key: "" } } }],
      [{ name: "A", valueFrom: { configMapKeyRef: { name: "x", key: "a b" } } }],
      [{ name: "A", valueFrom: { configMapKeyRef: { name: "X", key: "a" }, secretKeyRef: { name: "x", key: "a" } } }],
    ),
    ...each(
      `${container}/envFrom`,
      [{}],
      [{ prefix: "1=", configMapRef: { name: "a" } }],
      [
        { configMapRef: { name: "" } },
        { secretRef: { name: "X" } },
        { configMapRef: { name: "a" }, secretRef: { name: "b" } },
      ],
    ),
    ...each(
      `${container}/resources`,
      { limits: { cpu: "-1" } },
      { limits: { cpu: "1" }, requests: { cpu: "2" } },
      { limits: { memory: "1Gi" }, requests: { memory: "2Gi", cpu: "1" } },
      { limits: { gpu: "1" } },
      { limits: { "example.com/gpu": "1.5" } },
      { requests: { "example.com/gpu": "1" } },
      { limits: { "example.com/gpu": "1" } },
      { limits: { "example.com/gpu": "2" }, requests: { "example.com/gpu": "1" } },
      { requests: { "hugepages-2Mi": "2Mi" } },
      { limits: { "hugepages-2Mi": "1Mi", cpu: "1" } },
      { limits: { "a b": "1" } },
      { claims: [{ name: "x" }] },
      { limits: { "ephemeral-storage": "1Gi", cpu: "100m" }, requests: { cpu: "50m" } },
    ),
    ...each(`${container}/volumeMounts`, [{ name: "", mountPath: "" }], [{ name: "none", mountPath: "/a" }]),
    ...each(
      `${container}/securityContext`,
      { privileged: true, allowPrivilegeEscalation: false },
      { capabilities: { add: ["CAP_SYS_ADMIN"] }, allowPrivilegeEscalation: false },
      { procMount: "Other" },
      { runAsUser: -1, runAsGroup: -1 },
      { seccompProfile: { type: "Localhost" } },
      { seccompProfile: { type: "RuntimeDefault", localhostProfile: "x" } },
      { seccompProfile: { type: "Other" } },
      { seccompProfile: {} },
      { appArmorProfile: { type: "Other" } },
    ),
    ...each(
      probe,
      {},
      { httpGet: {} },
      { httpGet: { port: 0 } },
      { httpGet: { port: "A B", scheme: "FTP" } },
      { httpGet: { port: 80, httpHeaders: [{ name: "a b", value: "x" }] } },
      { httpGet: { port: 80 }, exec: { command: ["a"] } },
      { exec: {} },
      { tcpSocket: { port: 70000 } },
      { grpc: { port: 0 } },
      { tcpSocket: { port: 80 }, successThreshold: 2 },
      { tcpSocket: { port: 80 }, timeoutSeconds: -1, periodSeconds: -1, initialDelaySeconds: -1, failureThreshold: -1 },
      { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 0 },
    ),
    ...each(
      `${container}/readinessProbe`,
      { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 5 },
      {
        tcpSocket: { port: 80 },
        successThreshold: 2,
      },
    ),
    ...each(`${container}/startupProbe`, { tcpSocket: { port: 80 }, successThreshold: 2 }),
    ...each(
      `${container}/lifecycle`,
      { preStop: {} },
      { postStart: { sleep: { seconds: -1 } } },
      { preStop: { sleep: { seconds: 100 } } },
      { preStop: { httpGet: { port: 80, path: "" } } },
      { preStop: { exec: { command: ["a"] } }, stopSignal: "SIGTERM" },
    ),
    ...each(
      `${container}/resizePolicy`,
      [{ resourceName: "cpu", restartPolicy: "x" }],
      [
        { resourceName: "cpu", restartPolicy: "NotRequired" },
        { resourceName: "cpu", restartPolicy: "NotRequired" },
      ],
    ),
    ...each(`${container}/restartPolicy`, "Always", "Sometimes"),
    ...each(`${container}/volumeDevices`, [{ name: "x", devicePath: "/dev/x" }], [{ name: "", devicePath: "" }]),
    "two containers of one name": { "spec/containers/1": { name: "app", image: "x" } },
    ...each(
      "spec/initContainers",
      [{ name: "app", image: "x" }],
      [{ image: "x" }],
      [
        {
          name: "i",
          image: "x",
          livenessProbe: { tcpSocket: { port: 80 } },
          lifecycle: { preStop: { exec: { command: ["a"] } } },
        },
      ],
      [{ name: "i", image: "x", restartPolicy: "Always", readinessProbe: { tcpSocket: { port: 80 } } }],
      [{ name: "i", image: "x", restartPolicy: "OnFailure" }],
    ),
    ...each("spec/ephemeralContainers", [{ name: "e", image: "x" }]),
    ...each("spec/restartPolicy", "", "Sometimes", "Never"),
    ...each("spec/dnsPolicy", "Other", "None", "ClusterFirstWithHostNet"),
    ...each(
      "spec/dnsConfig",
      { nameservers: ["x"] },
      { nameservers: ["1.1.1.1", "1.1.1.1", "1.1.1.2", "1.1.1.3"] },
      {
        searches: ["a b", "ok.com."],
        options: [{ name: "" }],
      },
    ),
    "dnsPolicy None with nameservers": { "spec/dnsPolicy": "None", "spec/dnsConfig": { nameservers: ["1.1.1.1"] } },
    ...each("spec/activeDeadlineSeconds", 0, -1, 4294967296, 5),
    ...each("spec/terminationGracePeriodSeconds", -1, 0),
    ...each("spec/serviceAccountName", "A_b", "default"),
    ...each("spec/nodeName", "A_b"),
    ...each("spec/nodeSelector", { "a b": "x" }, { a: "b c" }),
    ...each("spec/hostname", "A_b", "ok"),
    ...each("spec/subdomain", "a.b"),
    ...each("spec/hostAliases", [{ ip: "x", hostnames: ["a b"] }], [{ ip: "1.2.3.4", hostnames: ["a"] }]),
    ...each("spec/imagePullSecrets", [{ name: "" }], [{ name: "a" }]),
    ...each("spec/priorityClassName", "A_b", "none", "system-node-critical"),
    ...each("spec/priority", 5),
    ...each("spec/preemptionPolicy", "Other"),
    ...each("spec/schedulerName", ""),
    ...each("spec/runtimeClassName", "A_b"),
    ...each("spec/readinessGates", [{ conditionType: "a b" }], [{ conditionType: "example.com/x" }]),
    ...each("spec/schedulingGates", [{ name: "" }], [{ name: "a" }, { name: "a" }]),
    "gates of a Pod with a node": { "spec/schedulingGates": [{ name: "a" }], "spec/nodeName": "n" },
    ...each("spec/os", { name: "plan9" }, { name: "linux" }, { name: "windows" }),
    ...each("spec/hostNetwork", true),
    "host network with another port": {
      "spec/hostNetwork": true,
      [`${container}/ports`]: [{ containerPort: 80, hostPort: 81 }],
    },
    "shared process namespace with host's": { "spec/shareProcessNamespace": true, "spec/hostPID": true },
    "user namespace with host network": { "spec/hostUsers": false, "spec/hostNetwork": true },
    ...each(
      "spec/securityContext",
      { runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups: [-1] },
      { sysctls: [{ name: "a b", value: "1" }] },
      { sysctls: [{ name: "", value: "1" }] },
      {
        sysctls: [
          { name: "net.a", value: "1" },
          { name: "net.a", value: "1" },
        ],
      },
      { fsGroupChangePolicy: "Other" },
      { seccompProfile: { type: "Other" } },
      { supplementalGroupsPolicy: "Other" },
      { seLinuxChangePolicy: "Other" },
      { windowsOptions: { gmsaCredentialSpecName: "" } },
    ),
    ...each(
      "spec/tolerations",
      [{ key: "a b" }],
      [{ operator: "Equal" }],
      [{ key: "a", operator: "Exists", value: "x" }],
      [{ key: "a", operator: "Other" }],
      [{ key: "a", operator: "Lt", value: "x" }],
      [{ key: "a", effect: "Other" }],
      [{ key: "a", value: "a b" }],
      [{ key: "a", effect: "NoSchedule", tolerationSeconds: 5 }],
      [{ operator: "Exists" }],
    ),
    ...each(
      "spec/affinity",
      { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
      {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: "a", operator: "In" },
                  { key: "a", operator: "Exists", values: ["x"] },
                  { key: "a", operator: "Gt", values: ["1", "2"] },
                  { key: "a", operator: "Other" },
                  { key: "a b", operator: "Exists" },
                  { key: "a", operator: "In", values: ["a b"] },
                ],
                matchFields: [{ key: "metadata.uid", operator: "In", values: ["x"] }],
              },
            ],
          },
        },
      },
      { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }] } },
      { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "" }] } },
      {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "a b", namespaces: ["A"], labelSelector: { matchLabels: { "a b": "c" } } },
          ],
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: { topologyKey: "z" } }],
        },
      },
      {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "z", matchLabelKeys: ["a"], labelSelector: { matchLabels: { a: "c" } } },
          ],
        },
      },
    ),
    ...each(
      "spec/topologySpreadConstraints",
      [{}],
      [{ maxSkew: 0, topologyKey: "a b", whenUnsatisfiable: "Other" }],
      [
        { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" },
        { maxSkew: 2, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" },
      ],
      [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "ScheduleAnyway", minDomains: 2 }],
      [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule", minDomains: 0 }],
      [
        {
          maxSkew: 1,
          topologyKey: "a",
          whenUnsatisfiable: "DoNotSchedule",
          nodeAffinityPolicy: "x",
          nodeTaintsPolicy: "x",
        },
      ],
      [
        {
          maxSkew: 1,
          topologyKey: "a",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: { "a b": "c" } },
        },
      ],
      [
        {
          maxSkew: 1,
          topologyKey: "a",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: { a: "c" } },
          matchLabelKeys: ["a", "b c"],
        },
      ],
    ),
    ...each(
      "metadata/annotations",
      { "seccomp.security.alpha.kubernetes.io/pod": "x" },
      {
        "container.apparmor.security.beta.kubernetes.io/app": "bad",
      },
      { "container.apparmor.security.beta.kubernetes.io/other": "unconfined" },
    ),
    ...each("spec/overhead", { cpu: "1" }),
    ...each("spec/resources", { limits: { cpu: "1" } }, { limits: { "example.com/a": "1" } }),
    ...each("spec/setHostnameAsFQDN", true),
    ...volumes(),
    "mounts of one path": {
      [volume]: { name: "v", emptyDir: {} },
      [`${container}/volumeMounts`]: [
        { name: "v", mountPath: "/a" },
        { name: "v", mountPath: "/a" },
      ],
    },
    "mounts with paths out of their volume": {
      [volume]: { name: "v", emptyDir: {} },
      [`${container}/volumeMounts`]: [
        { name: "v", mountPath: "/a", subPath: "../x" },
        { name: "v", mountPath: "/b", subPath: "/x" },
        { name: "v", mountPath: "/c", subPath: "x", subPathExpr: "y" },
        { name: "v", mountPath: "/d", mountPropagation: "Other" },
        { name: "v", mountPath: "/e", mountPropagation: "Bidirectional" },
        { name: "v", mountPath: "/f:g", recursiveReadOnly: "Enabled" },
      ],
    },
  },
  updates: {
    ...each("metadata/labels", { a: "b" }, { "a b": "c" }),
    ...each(`${container}/image`, "app:2", "", " x"),
    ...each(`${container}/name`, "other"),
    ...each(`${container}/env`, [{ name: "A", value: "x" }]),
    ...each("spec/activeDeadlineSeconds", 5, 0),
    ...each("spec/nodeSelector", { a: "b" }),
    ...each("spec/tolerations", [{ key: "a", operator: "Exists" }]),
    ...each("spec/terminationGracePeriodSeconds", 5),
    ...each("spec/restartPolicy", "Never"),
    ...each("spec/containers/1", { name: "b", image: "b" }),
    ...each("spec/priority", 5),
    ...each("spec/schedulingGates", [{ name: "a" }]),
  },
  statuses: {
    ...each("status/phase", "Running"),
    ...each("status/conditions", [{ type: "Ready", status: "True" }], [{ type: "a b", status: "True" }]),
    ...each("status/podIPs", [{ ip: "x" }], [{ ip: "10.1.1.1" }]),
    ...each("status/podIP", "10.1.1.1"),
    ...each("status/nominatedNodeName", "A_b"),
    ...each("status/containerStatuses", [{ name: "app", image: "a", imageID: "b", ready: true, restartCount: 0 }]),
    ...each("spec/nodeName", "other"),
  },
  pairs: {
    "a node selector of a gated Pod": [
      { "spec/schedulingGates": [{ name: "a" }] },
      { "spec/schedulingGates": [], "spec/nodeSelector": { a: "b" } },
    ],
    "a changed node selector of a gated Pod": [
      { "spec/schedulingGates": [{ name: "a" }], "spec/nodeSelector": { a: "b" } },
      { "spec/nodeSelector": { a: "c" } },
    ],
    "a changed node affinity of a gated Pod": [
      { "spec/schedulingGates": [{ name: "a" }], [requiredNodes]: [{ matchExpressions: [exists] }] },
      { [requiredNodes]: [{ matchExpressions: [{ ...exists, key: "b" }] }] },
    ],
    "another node affinity of a gated Pod": [
      { "spec/schedulingGates": [{ name: "a" }], [requiredNodes]: [{ matchExpressions: [exists] }] },
      { [requiredNodes]: [{ matchExpressions: [exists, exists] }, { matchExpressions: [exists] }] },
    ],
    "a longer node affinity of a gated Pod": [
      { "spec/schedulingGates": [{ name: "a" }], [requiredNodes]: [{ matchExpressions: [exists] }] },
      { [requiredNodes]: [{ matchExpressions: [exists, { ...exists, key: "b" }] }] },
    ],
    "a node affinity for a gated Pod, and another change": [
      { "spec/schedulingGates": [{ name: "a" }] },
      { [requiredNodes]: [{ matchExpressions: [exists] }], "spec/hostname": "a" },
    ],
    "many changes": [
      {
        "spec/volumes": [
          { name: "a", emptyDir: {} },
          { name: "b", hostPath: { path: "/" } },
        ],
        "spec/initContainers": [{ name: "i", image: "i" }],
      },
      {
        "spec/volumes": [
          { name: "b", configMap: { name: "<c>" } },
          { name: "a", secret: { secretName: "s" } },
        ],
        "spec/initContainers": [{ name: "j", image: "j", command: ["x"] }],
        "spec/hostNetwork": true,
        "spec/containers/0/livenessProbe": { httpGet: { port: 80 } },
        "spec/containers/0/securityContext": { capabilities: { add: ["A"] } },
        "spec/hostAliases": [{ ip: "1.2.3.4", hostnames: ["a"] }],
      },
    ],
    "a removed toleration": [{ "spec/tolerations": [{ key: "a", operator: "Exists" }] }, { "spec/tolerations": [] }],
    "a longer deadline": [{ "spec/activeDeadlineSeconds": 5 }, { "spec/activeDeadlineSeconds": 6 }],
    "a removed deadline": [{ "spec/activeDeadlineSeconds": 5 }, { "spec/activeDeadlineSeconds": undefined }],
    "a negative grace period becomes 1": [
      { "spec/terminationGracePeriodSeconds": -1 },
      { "spec/terminationGracePeriodSeconds": 1 },
    ],
  },
};

function volumes(): KindCases["creations"] {
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
  };
}
