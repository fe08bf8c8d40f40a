import type { Json, JsonObject } from "@kubewright/cel/json";
import type { ApiObject, Metadata } from "../../../model/resource.ts";

/** A condition in the status of an object. */
export interface Condition extends JsonObject {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string | null;
}

/** A label selector of an object. */
export interface Selector extends JsonObject {
  matchLabels?: { [key: string]: string };
}

/** A container of a Pod. */
export interface Container extends JsonObject {
  name: string;
  image?: string;
  ports?: (JsonObject & { name?: string; containerPort: number; protocol?: string })[];
  restartPolicy?: string;
}

/** The specification of a Pod. */
export interface PodSpec extends JsonObject {
  containers: Container[];
  initContainers?: Container[];
  nodeName?: string;
  restartPolicy?: string;
  hostNetwork?: boolean;
  hostname?: string;
  subdomain?: string;
  volumes?: JsonObject[];
}

/** The template of Pods. */
export interface PodTemplate extends JsonObject {
  metadata?: Metadata;
  spec: PodSpec;
}

/** The state of a container: one of three. */
export interface ContainerState extends JsonObject {
  waiting?: JsonObject & { reason?: string; message?: string };
  running?: JsonObject & { startedAt: string };
  terminated?: JsonObject & { exitCode: number; reason?: string; startedAt?: string; finishedAt?: string };
}

/** The status of a container. */
export interface ContainerStatus extends JsonObject {
  name: string;
  image: string;
  imageID: string;
  containerID?: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  started?: boolean;
  restartCount: number;
}

/** The status of a Pod. */
export interface PodStatus extends JsonObject {
  phase?: string;
  reason?: string;
  message?: string;
  podIP?: string;
  startTime?: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
}

/** A Pod. */
export interface Pod extends ApiObject {
  spec: PodSpec;
  status?: PodStatus;
}

/** Returns true if a Pod has ended. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** A ReplicaSet or a ReplicationController. */
export interface ReplicaSet extends ApiObject {
  spec: JsonObject & { replicas?: number; minReadySeconds?: number; selector?: Selector; template?: PodTemplate };
  status?: JsonObject & {
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    terminatingReplicas?: number;
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

/** The reference to the owner that controls an object. */
export interface ControllerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

/** Returns the reference to the controller of an object. */
export function controllerOf(object: ApiObject): ControllerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true) as
    | ControllerReference
    | undefined;
}

/**
 * Creates the reference to an owner that controls an object.
 *
 * @param owner - the owner, with its `apiVersion` and `kind`
 * @returns the reference
 */
export function controllerReference({ apiVersion = "", kind = "", metadata }: ApiObject): ControllerReference {
  const { name, uid } = metadata as { name: string; uid: string };
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Returns the key of an object in its collection. */
export function keyOf({ metadata }: ApiObject): string {
  return metadata.namespace === undefined ? (metadata.name as string) : `${metadata.namespace}/${metadata.name}`;
}

/** Returns namespace and name of a key. */
export function splitKey(key: string): [string, string] {
  const slash = key.indexOf("/");
  return slash < 0 ? ["", key] : [key.slice(0, slash), key.slice(slash + 1)];
}

/** Returns the condition of this type. */
export function conditionOf(status: { conditions?: Condition[] } | undefined, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Returns the time of a field in milliseconds; 0 without one. */
export function timeOf(value: Json | undefined): number {
  return typeof value === "string" ? Date.parse(value) : 0;
}

/**
 * Compares objects by their creation, and by their names if they are equally old.
 *
 * @returns a negative number if the first one is older
 */
export function byCreation(left: ApiObject, right: ApiObject): number {
  const difference = timeOf(left.metadata.creationTimestamp) - timeOf(right.metadata.creationTimestamp);
  if (difference !== 0) return difference;
  return (left.metadata.name as string) < (right.metadata.name as string) ? -1 : 1;
}

/**
 * Resolves a number or a percentage of a total.
 *
 * @param amount - for example `2` or `25%`
 * @param total - the total
 * @param up - true to round up
 * @returns the number
 */
export function scaledAmount(amount: Json | undefined, total: number, up: boolean): number {
  if (typeof amount !== "string") return typeof amount === "number" ? amount : 0;
  const exact = (Number.parseInt(amount, 10) * total) / 100;
  return up ? Math.ceil(exact) : Math.floor(exact);
}
