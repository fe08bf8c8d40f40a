// Random Pods with the settings that the checks read.
import type { JsonObject } from "@kubewright/cel/json";

/** Whole numbers from 0 to below a limit. */
export type Below = (limit: number) => number;

// Allowed values are more frequent, so that some Pods have no problem at all.
const allowed = { type: "RuntimeDefault" };
const profiles = [allowed, allowed, allowed, { type: "Localhost", localhostProfile: "a" }, { type: "Unconfined" }];
const capabilities = ["ALL", "NET_BIND_SERVICE", "CHOWN", "SYS_TIME", "all", "NET_RAW"];
const selinux = ["container_t", "container_init_t", "container_kvm_t", "container_engine_t", "spc_t", "b_t"];
const sysctls = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_slow_start_after_idle",
  "kernel.msgmax",
];
const sources = [
  { emptyDir: {} },
  { hostPath: { path: "/" } },
  { nfs: { server: "s", path: "/" } },
  { secret: { secretName: "a" } },
];
const hosts = ["", "b", "a", "127.0.0.1"];

/** Creates random Pods. */
export class RandomPods {
  readonly #below: Below;

  /** @param below - a source of random numbers */
  constructor(below: Below) {
    this.#below = below;
  }

  /** @returns a Pod, which the server may reject for other reasons too */
  pod(): JsonObject {
    const own = this.#some(0.9, { securityContext: this.#podContext() });
    const names = ["init", "c1", "c0"].slice(this.#below(2));
    const containers = names.map((name) => this.#container(name));
    const [first, ...others] = containers as [JsonObject, ...JsonObject[]];
    const annotations = {
      ...this.#some(0.1, {
        "container.apparmor.security.beta.kubernetes.io/c0": this.#of(["unconfined", "localhost/a"]),
      }),
      ...this.#some(0.1, { "seccomp.security.alpha.kubernetes.io/pod": this.#of(["unconfined", "runtime/default"]) }),
    };
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a", ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
      spec: {
        ...own,
        ...this.#some(0.05, { hostPID: true }),
        ...this.#some(0.05, { hostIPC: true }),
        ...this.#some(0.05, { hostNetwork: true }),
        ...this.#some(0.1, { hostUsers: this.#of([true, false]) }),
        ...this.#some(0.1, { os: { name: this.#of(["linux", "windows"]) } }),
        ...this.#some(0.15, { volumes: [0, 1].map((index) => ({ name: `v${index}`, ...this.#of(sources) })) }),
        ...(others.length === 2 ? { initContainers: [first], containers: others } : { containers }),
      },
    };
  }

  #of<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }

  #some(share: number, fields: JsonObject): JsonObject {
    return this.#below(1000) < share * 1000 ? fields : {};
  }

  #context(): JsonObject {
    const options = {
      ...this.#some(0.7, { type: this.#of(selinux) }),
      ...this.#some(0.2, { user: "u" }),
      ...this.#some(0.2, { role: "r" }),
    };
    return {
      ...this.#some(0.5, { runAsNonRoot: this.#below(8) > 0 }),
      ...this.#some(0.3, { runAsUser: this.#below(6) }),
      ...this.#some(0.5, { seccompProfile: this.#of(profiles) }),
      ...this.#some(0.2, { appArmorProfile: this.#of(profiles) }),
      ...this.#some(0.08, { seLinuxOptions: options }),
      ...this.#some(0.03, { windowsOptions: { hostProcess: true } }),
    };
  }

  #podContext(): JsonObject {
    const names = new Set([this.#of(sysctls), this.#of(sysctls)]);
    return { ...this.#context(), ...this.#some(0.1, { sysctls: [...names].map((name) => ({ name, value: "1" })) }) };
  }

  #container(name: string): JsonObject {
    const probe = (): JsonObject => ({ [this.#of(["httpGet", "tcpSocket"])]: { port: 80, host: this.#of(hosts) } });
    const context = {
      ...this.#context(),
      ...this.#some(0.95, { allowPrivilegeEscalation: this.#below(10) === 0 }),
      ...this.#some(0.05, { privileged: this.#of([true, false]) }),
      ...this.#some(0.05, { procMount: this.#of(["Default", "Unmasked"]) }),
      ...this.#some(0.95, {
        capabilities: {
          drop: [this.#below(10) > 0 ? "ALL" : "KILL"],
          ...this.#some(0.3, { add: [this.#of(capabilities)] }),
        },
      }),
    };
    const port = this.#of([80, 8080, 9]);
    return {
      name,
      image: "image",
      ...this.#some(0.97, { securityContext: context }),
      ...this.#some(0.1, { ports: [{ containerPort: port, ...this.#some(0.7, { hostPort: port }) }] }),
      ...this.#some(name === "init" ? 0 : 0.1, { livenessProbe: probe() }),
      ...this.#some(name === "init" ? 0 : 0.1, { lifecycle: { preStop: probe() } }),
    };
  }
}
