import type { Json, JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../../model/resource.ts";
import { type Container, conditionOf, isTerminal, type Pod, timeOf } from "../common/objects.ts";

/** A port of a Service. */
export interface ServicePort extends JsonObject {
  name?: string;
  port: number;
  protocol?: string;
  targetPort?: number | string;
  appProtocol?: string;
}

/** A Service. */
export interface Service extends ApiObject {
  spec: JsonObject & {
    type?: string;
    clusterIP?: string;
    selector?: { [key: string]: string };
    ports?: ServicePort[];
    publishNotReadyAddresses?: boolean;
    ipFamilies?: string[];
  };
}

/** The label that shows that a Service has no address of its own. */
export const headlessLabel = "service.kubernetes.io/headless";
/** The annotation with the time of the change that the endpoints follow. */
export const triggerAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** Returns true if a Service has no address of its own. */
export function isHeadless({ spec }: Service): boolean {
  return !spec.clusterIP || spec.clusterIP === "None";
}

/** Returns true if a Pod belongs to the endpoints of a Service that selects it. */
export function isEndpoint(pod: Pod, withTerminating: boolean): boolean {
  if (isTerminal(pod) || !pod.status?.podIP) return false;
  return withTerminating || pod.metadata.deletionTimestamp === undefined;
}

/** Returns the port of a Pod; undefined if it has no port of this name. */
export function findPort(
  { spec }: Pod,
  { port, targetPort = port, protocol = "TCP" }: ServicePort,
): number | undefined {
  if (typeof targetPort === "number") return targetPort === 0 ? port : targetPort;
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...spec.containers, ...sidecars]
    .flatMap((container: Container) => container.ports ?? [])
    .find((one) => one.name === targetPort && (one.protocol ?? "TCP") === protocol)?.containerPort;
}

/** Returns the name of a Pod within the domain of a Service; undefined if it has none. */
export function hostnameOf({ metadata, spec }: Pod, service: Service): string | undefined {
  const named = spec.hostname && spec.subdomain === service.metadata.name;
  return named && service.metadata.namespace === metadata.namespace ? spec.hostname : undefined;
}

/** Returns the reference to a Pod. */
export function referenceTo({ metadata }: Pod): { [key: string]: Json } {
  const { namespace, name, uid } = metadata as { namespace: string; name: string; uid: string };
  return { kind: "Pod", namespace, name, uid };
}

/** Finds out which change the endpoints of a Service follow. */
export class TriggerTimes {
  readonly #known = new Map<string, Map<string, number>>();

  /**
   * Returns the time of the first change since the last call.
   *
   * @param key - the key of the Service
   * @param service - the Service
   * @param pods - the Pods that it selects
   * @returns the time of the annotation; undefined if no time is new
   */
  next(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const before = this.#known.get(key);
    const times = new Map([["", timeOf(service.metadata.creationTimestamp)]]);
    for (const pod of pods) {
      const time = timeOf(conditionOf(pod.status, "Ready")?.lastTransitionTime);
      if (time > 0) times.set(pod.metadata.name as string, time);
    }
    this.#known.set(key, times);
    const changed = [...times].filter(([name, time]) => time > (before?.get(name) ?? 0)).map(([, time]) => time);
    return changed.length === 0 ? undefined : `${new Date(Math.min(...changed)).toISOString().slice(0, 19)}Z`;
  }

  /** Forgets a Service that is gone. */
  forget(key: string): void {
    this.#known.delete(key);
  }
}
