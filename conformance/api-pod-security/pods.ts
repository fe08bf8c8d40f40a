// Additional Pods for the checks of the Pod Security Standards, which upstream's fixtures don't contain.
import type { JsonObject } from "@kubewright/cel/json";

/** A Pod with a name for the test. */
export interface NamedPod {
  name: string;
  pod: JsonObject;
}

const strict = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

/** Creates the specification of a Pod that the restricted level allows, with some fields changed. */
export function restrictedSpec(changes: JsonObject = {}, ...containers: JsonObject[]): JsonObject {
  return {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    containers: (containers.length === 0 ? [{}] : containers).map((changed, index) => container(index, changed)),
    ...changes,
  };
}

function container(index: number, changed: JsonObject): JsonObject {
  return { name: `c${index}`, image: "image", securityContext: strict, ...changed };
}

/** Creates containers with settings in their security contexts. */
function withContexts(...contexts: JsonObject[]): JsonObject[] {
  return contexts.map((context) => ({ securityContext: { ...strict, ...context } }));
}

const ofPod = (context: JsonObject): JsonObject => ({
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" }, ...context },
});
const probe = (handler: string, host: string): JsonObject => ({ [handler]: { port: 80, host } });
const adding = (...add: string[]): JsonObject => ({ capabilities: { drop: ["ALL"], add } });
const volumes = (...sources: JsonObject[]): JsonObject => ({
  volumes: sources.map((source, index) => ({ name: `v${index}`, ...source })),
});
const unconfined = { type: "Unconfined" };
const selinux = (seLinuxOptions: JsonObject): JsonObject => ({ seLinuxOptions });
const windows = { os: { name: "windows" } };
const hostProcess = { windowsOptions: { hostProcess: true } };

const windowsHost = "processes of a Windows host";

const everything: JsonObject = {
  hostPID: true,
  securityContext: {
    runAsUser: 0,
    runAsNonRoot: false,
    seccompProfile: unconfined,
    appArmorProfile: unconfined,
    seLinuxOptions: { type: "spc_t", user: "u", role: "r" },
    sysctls: [
      { name: "kernel.msgmax", value: "1" },
      { name: "net.ipv4.ip_local_reserved_ports", value: "1" },
      { name: "net.ipv4.tcp_keepalive_time", value: "1" },
      { name: "net.ipv4.tcp_rmem", value: "1" },
      { name: "net.ipv4.tcp_notsent_lowat", value: "1" },
    ],
  },
  initContainers: [{ name: "init", image: "image", securityContext: { privileged: true } }],
  containers: [
    {
      name: "c0",
      image: "image",
      securityContext: { runAsUser: 0, seLinuxOptions: { type: "container_engine_t" }, capabilities: { add: ["BPF"] } },
      ports: [{ containerPort: 80, hostPort: 80 }],
      livenessProbe: probe("httpGet", "example.com"),
    },
  ],
  ...volumes({ hostPath: { path: "/" } }, { nfs: { server: "s", path: "/" } }),
};

const specs: Record<string, JsonObject> = {
  "a restricted Pod": restrictedSpec(),
  "no settings": { containers: [{ name: "c0", image: "image" }] },
  "no settings in several containers": {
    initContainers: [{ name: "init", image: "image" }],
    containers: [
      { name: "c0", image: "image" },
      { name: "c1", image: "image" },
    ],
  },
  "privileged containers": restrictedSpec(
    {},
    ...withContexts({ privileged: true, allowPrivilegeEscalation: true }, { privileged: false }),
  ),
  "capabilities in another order": restrictedSpec({}, ...withContexts({ capabilities: { drop: ["KILL", "ALL"] } })),
  "a capability in lower case": restrictedSpec({}, ...withContexts({ capabilities: { drop: ["all"] } })),
  "an allowed capability": restrictedSpec({}, ...withContexts(adding("NET_BIND_SERVICE"))),
  "a default capability": restrictedSpec({}, ...withContexts(adding("CHOWN"))),
  "several capabilities": restrictedSpec(
    {},
    ...withContexts(adding("SYS_TIME", "NET_RAW", "KILL"), adding("CAP_KILL"), { capabilities: { add: ["ALL"] } }),
  ),
  "namespaces of the host": restrictedSpec({ hostIPC: true, hostPID: true }),
  "the network of the host": restrictedSpec({ hostNetwork: true }, { ports: [{ containerPort: 8080 }] }),
  "ports of the host": restrictedSpec(
    {},
    { ports: [9, 80, 8080].map((port) => ({ containerPort: port, hostPort: port })) },
    { ports: [{ containerPort: 80, hostPort: 80, protocol: "UDP" }] },
    { ports: [{ containerPort: 7 }] },
  ),
  "one port of the host": restrictedSpec({}, { ports: [{ containerPort: 80, hostPort: 80 }] }),
  "hosts of probes": restrictedSpec(
    {},
    {
      livenessProbe: probe("httpGet", "b"),
      readinessProbe: probe("tcpSocket", "a"),
      lifecycle: { preStop: probe("httpGet", "b") },
    },
    { startupProbe: probe("tcpSocket", "c"), livenessProbe: { exec: { command: ["true"] } } },
  ),
  "a host of a start": restrictedSpec({}, { lifecycle: { postStart: probe("httpGet", "127.0.0.1") } }),
  "a probe without a host": restrictedSpec({}, { livenessProbe: probe("httpGet", "") }),
  "SELinux types": restrictedSpec(
    ofPod(selinux({ type: "container_t", level: "s0" })),
    ...withContexts(selinux({ type: "spc_t" }), selinux({ type: "container_engine_t" }), selinux({ type: "a_t" })),
  ),
  "an SELinux type of a Pod": restrictedSpec(ofPod(selinux({ type: "spc_t" }))),
  "an SELinux user of a Pod and a role": restrictedSpec(
    ofPod(selinux({ user: "u" })),
    ...withContexts(selinux({ role: "r", type: "container_init_t" })),
  ),
  "unconfined seccomp": restrictedSpec(
    ofPod({ seccompProfile: unconfined }),
    ...withContexts({ seccompProfile: unconfined }, {}),
  ),
  "unconfined seccomp in one container": restrictedSpec({}, ...withContexts({}, { seccompProfile: unconfined })),
  "seccomp only in a container": restrictedSpec(
    { securityContext: { runAsNonRoot: true } },
    ...withContexts({ seccompProfile: { type: "Localhost", localhostProfile: "a" } }, {}),
  ),
  "AppArmor profiles": restrictedSpec(
    ofPod({ appArmorProfile: unconfined }),
    ...withContexts({ appArmorProfile: unconfined }, { appArmorProfile: { type: "RuntimeDefault" } }),
  ),
  "an AppArmor profile of the node": restrictedSpec(
    ofPod({ appArmorProfile: { type: "Localhost", localhostProfile: "a" } }),
  ),
  "root by default": restrictedSpec({ securityContext: { seccompProfile: { type: "RuntimeDefault" } } }),
  "root in a container": restrictedSpec({}, ...withContexts({ runAsNonRoot: false }, {}, { runAsNonRoot: false })),
  "root in the Pod, but not in containers": restrictedSpec(
    ofPod({ runAsNonRoot: false }),
    ...withContexts({ runAsNonRoot: true }),
  ),
  "not root in some containers": restrictedSpec(
    { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
    ...withContexts({ runAsNonRoot: true }, {}),
  ),
  "the user root": restrictedSpec(ofPod({ runAsUser: 0 }), ...withContexts({ runAsUser: 0 }, { runAsUser: 1 })),
  "the user root in containers": restrictedSpec(ofPod({ runAsUser: 1 }), ...withContexts({ runAsUser: 0 }, {})),
  sysctls: restrictedSpec(
    ofPod({
      sysctls: [
        { name: "net.ipv4.tcp_wmem", value: "1" },
        { name: "net/ipv4/tcp_syncookies", value: "1" },
        { name: "kernel.msgmax", value: "1" },
        { name: "kernel.shm_rmid_forced", value: "1" },
      ],
    }),
  ),
  "a Pod with its own users": restrictedSpec(
    { hostUsers: false, ...ofPod({ runAsUser: 0, runAsNonRoot: false }) },
    ...withContexts({ procMount: "Unmasked", runAsUser: 0 }),
  ),
  "the users of the host": restrictedSpec({ hostUsers: true, ...ofPod({ runAsUser: 0 }) }),
  "the default proc": restrictedSpec({}, ...withContexts({ procMount: "Default" })),
  "a Windows Pod": { ...windows, ...restrictedSpec({ securityContext: {} }, { securityContext: {} }), ...windows },
  "a Windows Pod that isn't root": {
    ...restrictedSpec({ securityContext: { runAsNonRoot: true } }, { securityContext: {} }),
    ...windows,
  },
  [windowsHost]: {
    ...restrictedSpec({ securityContext: hostProcess, hostNetwork: true }, { securityContext: hostProcess }),
    ...windows,
  },
  "containers of a Windows host": {
    ...restrictedSpec(
      { securityContext: {}, hostNetwork: true },
      ...[1, 2].map(() => ({ securityContext: hostProcess })),
    ),
    ...windows,
  },
  "paths of the host": restrictedSpec(
    volumes({ hostPath: { path: "/a" } }, { emptyDir: {} }, { hostPath: { path: "/b" } }),
  ),
  "allowed volumes": restrictedSpec(
    volumes(
      { configMap: { name: "a" } },
      { csi: { driver: "a" } },
      { downwardAPI: { items: [] } },
      {
        ephemeral: {
          volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } },
        },
      },
      { image: { reference: "a" } },
      { persistentVolumeClaim: { claimName: "a" } },
      { projected: { sources: [] } },
      { secret: { secretName: "a" } },
      {},
    ),
  ),
  "restricted volumes": restrictedSpec(
    volumes(
      { nfs: { server: "s", path: "/" } },
      { nfs: { server: "s", path: "/" } },
      { hostPath: { path: "/" } },
      { iscsi: { targetPortal: "a", iqn: "iqn.2020-01.a:b", lun: 1 } },
    ),
  ),
  everything,
};

const withoutSeccomp = { securityContext: { runAsNonRoot: true } };

/** Pods whose answers depend on the version of the checks, up to a minor version if one is given. */
export const versioned: readonly (NamedPod & { until?: number })[] = [
  { name: "everything", pod: podOf(everything) },
  ...["no settings", "a Windows Pod", "a Pod with its own users"].map((name) => ({
    name,
    pod: podOf(specs[name] as JsonObject),
  })),
  { name: windowsHost, until: 7, pod: podOf(specs[windowsHost] as JsonObject) },
  {
    name: "annotations",
    until: 19,
    pod: podOf(restrictedSpec(withoutSeccomp), {
      "seccomp.security.alpha.kubernetes.io/pod": "unconfined",
      "container.seccomp.security.alpha.kubernetes.io/c0": "unconfined",
      "container.seccomp.security.alpha.kubernetes.io/other": "unconfined",
    }),
  },
  {
    name: "allowed annotations",
    until: 19,
    pod: podOf(restrictedSpec(withoutSeccomp, {}, {}), {
      "seccomp.security.alpha.kubernetes.io/pod": "docker/default",
      "container.seccomp.security.alpha.kubernetes.io/c0": "localhost/a",
      "container.seccomp.security.alpha.kubernetes.io/c1": "runtime/default",
    }),
  },
];

function podOf(spec: JsonObject, annotations?: JsonObject): JsonObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "a", ...(annotations ? { annotations } : {}) }, spec };
}

const appArmor = "container.apparmor.security.beta.kubernetes.io/";

/** The additional Pods. */
export const ownPods: readonly NamedPod[] = [
  ...Object.entries(specs).map(([name, spec]) => ({ name, pod: podOf(spec) })),
  { name: "an AppArmor annotation", pod: podOf(restrictedSpec(), { [`${appArmor}c0`]: "unconfined" }) },
  {
    name: "AppArmor annotations",
    pod: podOf(restrictedSpec({}, {}, {}), { [`${appArmor}c1`]: "unconfined", [`${appArmor}c0`]: "unconfined" }),
  },
  {
    name: "AppArmor annotations and fields",
    pod: podOf(
      restrictedSpec(ofPod({ appArmorProfile: unconfined }), ...withContexts({ appArmorProfile: unconfined })),
      { [`${appArmor}c0`]: "unconfined" },
    ),
  },
  {
    name: "allowed AppArmor annotations",
    pod: podOf(restrictedSpec({}, {}, {}), { [`${appArmor}c0`]: "runtime/default", [`${appArmor}c1`]: "localhost/a" }),
  },
];

/** The minor versions in which the checks change, those before them, and later ones. */
export const minorVersions: readonly number[] = [
  0, 7, 8, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 99,
];
