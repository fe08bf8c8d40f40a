import { hostname } from "node:os";
import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
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

/** The fields of an events.k8s.io/v1 Event that recorders write. */
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

/** Maximum length of a note in bytes of UTF-8, as in the API server. */
const maxNote = 1024;
/** Maximum length of reason, action and reporting instance in bytes. */
const maxText = 128;
/** Maximum length of the object's name, which leaves space for the suffix: names have at most 253 characters. */
const maxName = 200;

export interface NewEvent {
  controller: string;
  object: KubernetesObject;
  type: string;
  reason: string;
  note: string;
  options: EventOptions;
  date: Date;
  /** Makes the names of simultaneous events of one object unique. */
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
      // Events about cluster-scoped objects are in the namespace `default`.
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

/**
 * Converts an object's name to a valid prefix of an event's name. Some kinds allow more characters, such as `system:node`.
 */
function subdomain(name: string): string {
  const labels = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, "-")
    .slice(0, maxName)
    .split(".");
  const trimmed = labels.map((label) => label.replaceAll(/^-+|(?<!-)-+$/g, "")).filter((label) => label !== "");
  return trimmed.length > 0 ? trimmed.join(".") : "unnamed";
}

/** Truncates a string to a number of UTF-8 bytes at a character boundary, and appends an ellipsis. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const mark = "…";
  const all = Buffer.from(text);
  let end = bytes - Buffer.byteLength(mark);
  const isInsideCharacter = (at: number): boolean => ((all[at] ?? 0) & 0xc0) === 0x80;
  while (isInsideCharacter(end)) end--;
  return all.toString("utf8", 0, end) + mark;
}

/** Returns the identity of an event. Events with the same identity form one series. */
export function seriesKey({ type, action, reason, reportingController, regarding, related }: Event): string {
  const identity = ({ kind, namespace, name, uid }: ObjectReference): unknown[] => [kind, namespace, name, uid];
  return JSON.stringify([type, action, reason, reportingController, identity(regarding), related && identity(related)]);
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata ?? {};
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}
