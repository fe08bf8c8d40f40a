import { goQuote } from "@kubewright/cel/json";
import type { Check, Rule } from "./check.ts";
import { containersText, counted, quoted, settersOf, sorted } from "./messages.ts";
import {
  type Container,
  containersOf,
  containersWhere,
  contextsOf,
  type Handler,
  type Pod,
  type Profile,
} from "./pod.ts";

const isSafeProfile = ({ type }: Profile): boolean => type === "RuntimeDefault" || type === "Localhost";
const isUnsafe = (profile: Profile | undefined): boolean => profile !== undefined && !isSafeProfile(profile);

const unsafeAppArmor: Rule = (pod) => {
  const setters = settersOf(pod, ({ appArmorProfile }) => isUnsafe(appArmorProfile));
  const types = contextsOf(pod).flatMap(({ appArmorProfile }) =>
    appArmorProfile && isUnsafe(appArmorProfile) ? [appArmorProfile.type ?? ""] : [],
  );
  const annotations = Object.entries(pod.metadata?.annotations ?? {})
    .filter(([key]) => key.startsWith("container.apparmor.security.beta.kubernetes.io/"))
    .filter(([, value]) => value !== "" && value !== "runtime/default" && !value.startsWith("localhost/"))
    .map(([key, value]) => `${key}=${goQuote(value)}`);
  if (annotations.length > 0) setters.push(counted("annotation", annotations.length));
  if (setters.length === 0) return undefined;
  const values = [...sorted(types), ...sorted(annotations)];
  return {
    reason: counted("forbidden AppArmor profile", values.length),
    detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const defaultCapabilities = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

/**
 * Describes the containers that add capabilities.
 *
 * @param pod - the Pod
 * @param allowed - the capabilities that they may add
 * @returns the description; undefined if they add no others
 */
export function addedCapabilities(pod: Pod, allowed: ReadonlySet<string>): string | undefined {
  const added = ({ securityContext }: Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.has(name));
  const names = containersWhere(pod, (container) => added(container).length > 0);
  if (names.length === 0) return undefined;
  const capabilities = sorted(containersOf(pod).flatMap(added));
  return `${containersText(names)} must not include ${quoted(capabilities)} in securityContext.capabilities.add`;
}

const nonDefaultCapabilities: Rule = (pod) => {
  const detail = addedCapabilities(pod, defaultCapabilities);
  return detail === undefined ? undefined : { reason: "non-default capabilities", detail };
};

const hostNamespaces: Rule = ({ spec }) => {
  const shared = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: "host namespaces", detail: shared.map((field) => `${field}=true`).join(", ") };
};

const hostPaths: Rule = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${counted("volume", names.length)} ${quoted(names)}` };
};

/** Finds the containers that have some values. */
function usedBy(pod: Pod, valuesOf: (container: Container) => string[]): { names: string[]; values: string[] } {
  const names = containersWhere(pod, (container) => valuesOf(container).length > 0);
  return { names, values: sorted(containersOf(pod).flatMap(valuesOf)) };
}

const hostPorts: Rule = (pod) => {
  const { names, values } = usedBy(pod, ({ ports = [] }) =>
    ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
  );
  if (names.length === 0) return undefined;
  const uses = `${counted("uses", names.length, "use")} ${counted("hostPort", values.length)}`;
  return { reason: "hostPort", detail: `${containersText(names)} ${uses} ${values.join(", ")}` };
};

const hostsOf = (handler: Handler | undefined): string[] =>
  [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host) => host !== undefined && host !== "") as string[];

const probedHosts: Rule = (pod) => {
  const { names, values } = usedBy(pod, ({ livenessProbe, readinessProbe, startupProbe, lifecycle }) =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf),
  );
  if (names.length === 0) return undefined;
  const reason = "probe or lifecycle host";
  const uses = `${counted("uses", names.length, "use")} ${counted(reason, values.length)}`;
  return { reason, detail: `${containersText(sorted(names))} ${uses} ${quoted(values)}` };
};

const privileged: Rule = (pod) => {
  const names = containersWhere(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (names.length === 0) return undefined;
  return { reason: "privileged", detail: `${containersText(names)} must not set securityContext.privileged=true` };
};

/** Checks that no container has an unmasked `/proc`. */
export const unmaskedProc: Rule = (pod) => {
  const { names, values } = usedBy(pod, ({ securityContext: { procMount = "Default" } = {} }) =>
    procMount === "Default" ? [] : [procMount],
  );
  if (names.length === 0) return undefined;
  const detail = `${containersText(names)} must not set securityContext.procMount to ${quoted(values)}`;
  return { reason: "procMount", detail };
};

/** Returns a rule for Pods that have the users of the host. */
export function unlessOwnUsers(rule: Rule): Rule {
  return (pod) => (pod.spec.hostUsers === false ? undefined : rule(pod));
}

const seLinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t"];

function seLinux(types: readonly string[]): Rule {
  return (pod) => {
    const setters = settersOf(pod, ({ seLinuxOptions: { type = "", user = "", role = "" } = {} }) => {
      return !types.includes(type) || user !== "" || role !== "";
    });
    if (setters.length === 0) return undefined;
    const options = contextsOf(pod).flatMap(({ seLinuxOptions }) => seLinuxOptions ?? []);
    const wrong = sorted(options.map(({ type = "" }) => type).filter((type) => !types.includes(type)));
    const problems = [
      ...(wrong.length === 0 ? [] : [`${counted("type", wrong.length)} ${quoted(wrong)}`]),
      ...(options.some(({ user }) => user) ? ["user may not be set"] : []),
      ...(options.some(({ role }) => role) ? ["role may not be set"] : []),
    ];
    const detail = `${setters.join(" and ")} set forbidden securityContext.seLinuxOptions: ${problems.join("; ")}`;
    return { reason: "seLinuxOptions", detail };
  };
}

const seccompAnnotations: Rule = (pod) => {
  const { annotations = {} } = pod.metadata ?? {};
  const keys = [
    "seccomp.security.alpha.kubernetes.io/pod",
    ...containersOf(pod).map(({ name }) => `container.seccomp.security.alpha.kubernetes.io/${name}`),
  ];
  const wrong = keys.flatMap((key) => {
    const value = annotations[key];
    const isSafe = value === undefined || /^(runtime\/default$|docker\/default$|localhost\/)/.test(value);
    return isSafe ? [] : [`${key}=${goQuote(value)}`];
  });
  if (wrong.length === 0) return undefined;
  const detail = `forbidden ${counted("annotation", wrong.length)} ${sorted(wrong).join(", ")}`;
  return { reason: "seccompProfile", detail };
};

/** Checks that no seccomp profile turns the protection off. */
export const unsafeSeccomp: Rule = (pod) => {
  const setters = settersOf(pod, ({ seccompProfile }) => isUnsafe(seccompProfile));
  if (setters.length === 0) return undefined;
  const types = contextsOf(pod).flatMap(({ seccompProfile }) =>
    seccompProfile && isUnsafe(seccompProfile) ? [seccompProfile.type ?? ""] : [],
  );
  const problem = `must not set securityContext.seccompProfile.type to ${quoted(sorted(types))}`;
  return { reason: "seccompProfile", detail: `${setters.join(" and ")} ${problem}` };
};

const safeSysctls = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const safeSysctls27 = [...safeSysctls, "net.ipv4.ip_local_reserved_ports"];
const safeSysctls29 = [
  ...safeSysctls27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const safeSysctls32 = [...safeSysctls29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];
const safeSysctls37 = [...safeSysctls32, "net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat"];

function sysctls(safe: readonly string[]): Rule {
  return ({ spec }) => {
    const wrong = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !safe.includes(name));
    return wrong.length === 0 ? undefined : { reason: "forbidden sysctls", detail: wrong.join(", ") };
  };
}

const hostProcess: Rule = (pod) => {
  const setters = settersOf(pod, ({ windowsOptions }) => windowsOptions?.hostProcess === true);
  if (setters.length === 0) return undefined;
  const detail = `${setters.join(" and ")} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: "hostProcess", detail };
};

/** The checks that those of the restricted level include. */
export const capabilitiesCheck: Check = { rules: [[0, nonDefaultCapabilities]] };
export const hostPathCheck: Check = { rules: [[0, hostPaths]] };
export const procMountCheck: Check = {
  rules: [
    [0, unmaskedProc],
    [35, unlessOwnUsers(unmaskedProc)],
  ],
};
export const seccompCheck: Check = {
  rules: [
    [0, seccompAnnotations],
    [19, unsafeSeccomp],
  ],
};

/** The checks of the baseline level, in the order of their messages. */
export const baseline: readonly Check[] = [
  { rules: [[0, unsafeAppArmor]] },
  capabilitiesCheck,
  { rules: [[0, hostNamespaces]] },
  hostPathCheck,
  { rules: [[0, hostPorts]] },
  { rules: [[34, probedHosts]] },
  { rules: [[0, privileged]] },
  procMountCheck,
  {
    rules: [
      [0, seLinux(seLinuxTypes)],
      [31, seLinux([...seLinuxTypes, "container_engine_t"])],
    ],
  },
  seccompCheck,
  {
    rules: [
      [0, sysctls(safeSysctls)],
      [27, sysctls(safeSysctls27)],
      [29, sysctls(safeSysctls29)],
      [32, sysctls(safeSysctls32)],
      [37, sysctls(safeSysctls37)],
    ],
  },
  { rules: [[0, hostProcess]] },
];
