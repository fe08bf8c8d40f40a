import type { ApiObject } from "../../model/resource.ts";

// The fields of Pods that the checks read. Validation comes before them, so the fields have their types.

/** A setting of a security profile. */
export interface Profile {
  type?: string;
}

/** The security context of a Pod or of a container. */
export interface SecurityContext {
  allowPrivilegeEscalation?: boolean;
  appArmorProfile?: Profile;
  capabilities?: { add?: string[]; drop?: string[] };
  privileged?: boolean;
  procMount?: string;
  runAsNonRoot?: boolean;
  runAsUser?: number;
  seLinuxOptions?: { type?: string; user?: string; role?: string };
  seccompProfile?: Profile;
  windowsOptions?: { hostProcess?: boolean };
}

/** The action of a probe or of a step of the life cycle. */
export interface Handler {
  httpGet?: { host?: string };
  tcpSocket?: { host?: string };
}

/** A container. */
export interface Container {
  name: string;
  image?: string;
  ports?: { hostPort?: number }[];
  securityContext?: SecurityContext;
  livenessProbe?: Handler;
  readinessProbe?: Handler;
  startupProbe?: Handler;
  lifecycle?: { postStart?: Handler; preStop?: Handler };
}

/** A volume: its name, and a field with the name of its type. */
export interface Volume {
  name: string;
  [source: string]: unknown;
}

/** The specification of a Pod. */
export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  hostIPC?: boolean;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostUsers?: boolean;
  os?: { name?: string };
  securityContext?: SecurityContext & { sysctls?: { name: string }[] };
  volumes?: Volume[];
}

/** A Pod, or a template of Pods. */
export interface Pod {
  metadata?: { annotations?: Readonly<Record<string, string>> };
  spec: PodSpec;
}

/** Returns the parts of a valid Pod that the checks read. */
export function asPod(object: ApiObject): Pod {
  return object as unknown as Pod;
}

/** Returns all containers of a Pod, in the order of the messages. */
export function containersOf({ spec }: Pod): Container[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/** Returns the names of the containers for which a test is true. */
export function containersWhere(pod: Pod, test: (container: Container) => boolean): string[] {
  return containersOf(pod)
    .filter(test)
    .map(({ name }) => name);
}

/** Returns the security contexts of a Pod and of its containers. */
export function contextsOf(pod: Pod): SecurityContext[] {
  return [pod.spec, ...containersOf(pod)].flatMap(({ securityContext }) => securityContext ?? []);
}
