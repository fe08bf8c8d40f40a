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

/** Bytes in UTF-8, as the API server counts them. */
const maxNote = 1024;
/** Bytes of reason, action and reporting instance. */
const maxText = 128;
/** Leaves room for the suffix: names have 253 characters at most. */
const maxName = 200;

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
  if (reason === "") throw new TypeError("invalid event reason: it must not be empty");
  const suffix = `${date.getTime().toString(16)}${sequence.toString(16).padStart(4, "0")}`;
  return {
    apiVersion: Event.apiVersion,
    kind: Event.kind,
    metadata: {
      // Events about cluster-scoped objects live in the namespace default.
      namespace: namespace || "default",
      name: `${subdomain(name)}.${suffix}`,
      ...(options.annotations ? { annotations: { ...options.annotations } } : {}),
    },
    eventTime: date.toISOString().replace("Z", "000Z"),
    reportingController: controller,
    reportingInstance: cut(`${controller}-${hostname()}`, maxText),
    action: cut(options.action || reason, maxText),
    reason: cut(reason, maxText),
    type,
    note: cut(redactText(note), maxNote),
    regarding: referenceTo(object),
    ...(options.related ? { related: referenceTo(options.related) } : {}),
  };
}

/** The name of an object as the name of an event may begin: some kinds allow more characters, `system:node` for example. */
function subdomain(name: string): string {
  const labels = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, "-")
    .slice(0, maxName)
    .split(".");
  const trimmed = labels.map((label) => label.replaceAll(/^-+|-+$/g, "")).filter((label) => label !== "");
  return trimmed.length > 0 ? trimmed.join(".") : "unnamed";
}

/** Cuts a text to so many bytes in UTF-8, between characters, and marks it. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const mark = "…";
  const all = Buffer.from(text);
  let end = bytes - Buffer.byteLength(mark);
  const isInsideCharacter = (at: number): boolean => ((all[at] ?? 0) & 0xc0) === 0x80;
  while (isInsideCharacter(end)) end--;
  return all.toString("utf8", 0, end) + mark;
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
