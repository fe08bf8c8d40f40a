import { hostname } from "node:os";
import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { groupVersion, type Kind } from "../kind.ts";
import { redactText } from "../log/redact-text.ts";
import type { EventOptions } from "./recorder.ts";

export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

/** events.k8s.io/v1 Event, as far as recorders write it. */
export interface Event extends KubernetesObject {
  metadata: ObjectMeta;
  eventTime: string;
  reportingController: string;
  reportingInstance: string;
  action: string;
  reason: string;
  type: string;
  note: string;
  regarding: ObjectReference;
  related?: ObjectReference;
  series?: { count: number; lastObservedTime: string };
}

export const Event: Kind<Event> = groupVersion("events.k8s.io", "v1").kind<Event>("Event", {
  plural: "events",
  scope: "Namespaced",
});

const maxNote = 1024;
const maxInstance = 128;

export interface NewEvent {
  controller: string;
  object: KubernetesObject;
  type: string;
  reason: string;
  note: string;
  options: EventOptions;
  date: Date;
  /** Tells events of one object and moment apart. */
  sequence: number;
}

export function newEvent({ controller, object, type, reason, note, options, date, sequence }: NewEvent): Event {
  const { namespace, name = "" } = object.metadata ?? {};
  const suffix = `${date.getTime().toString(16)}${sequence.toString(16).padStart(4, "0")}`;
  return {
    apiVersion: Event.apiVersion,
    kind: Event.kind,
    metadata: {
      // Events about cluster-scoped objects live in the namespace default.
      namespace: namespace || "default",
      name: `${name.slice(0, 200)}.${suffix}`,
      ...(options.annotations ? { annotations: { ...options.annotations } } : {}),
    },
    eventTime: date.toISOString().replace("Z", "000Z"),
    reportingController: controller,
    reportingInstance: `${controller}-${hostname()}`.slice(0, maxInstance),
    action: options.action ?? reason,
    reason,
    type,
    note: shortened(redactText(note)),
    regarding: referenceTo(object),
    ...(options.related ? { related: referenceTo(options.related) } : {}),
  };
}

function shortened(note: string): string {
  return note.length > maxNote ? `${note.slice(0, maxNote - 1)}…` : note;
}

/** Events of equal identity are one series. */
export function seriesKey({ type, action, reason, reportingController, regarding, related }: Event): string {
  const identity = ({ kind, namespace, name, uid }: ObjectReference): unknown[] => [kind, namespace, name, uid];
  return JSON.stringify([type, action, reason, reportingController, identity(regarding), related && identity(related)]);
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata ?? {};
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}
