import { byteLength, cloneJson, equalJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1123Subdomain,
  isQualifiedName,
  nameIsDNSSubdomain,
  required,
  validateFinalizerDomains,
  validateImmutable,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { storedEvents } from "../../codec/stored-events.ts";
import { fieldsOf, invalidFor, isSet, numberOf, textOf } from "../fields/fields.ts";

const longestText = 128;
const longestNote = 1024;
const mismatch = "does not match event.namespace";

/** The rules of events of core/v1, which are as lenient as they always were. */
export const event: Strategy = {
  validatesMetadata: true,
  validate: (object) => generalErrors(object, "reportingComponent"),
  validateUpdate: (object) => generalErrors(object, "reportingComponent"),
};

/** The rules of events of events.k8s.io/v1. Their messages name the fields of core/v1. */
export const strictEvent: Strategy = {
  validatesMetadata: true,
  validate: (object) => strictErrors(inCore(object)),
  validateUpdate: (object, old) => changeErrors(inCore(object), inCore(old)),
};

function inCore(object: ApiObject): ApiObject {
  return storedEvents.write(cloneJson(object));
}

/** Checks what events of both groups must comply with. Those with the time of one event are of the newer form. */
function generalErrors(object: ApiObject, reporter: string): FieldError[] {
  const { namespace = "" } = object.metadata;
  const errors = isSet(object.eventTime)
    ? newFormErrors(object, namespace, reporter)
    : oldFormErrors(textOf(fieldsOf(object.involvedObject).namespace), namespace);
  return [...errors, ...invalidFor("namespace", namespace, isDNS1123Subdomain(namespace))];
}

function oldFormErrors(involved: string, namespace: string): FieldError[] {
  const matches = involved === "" ? ["", "default"].includes(namespace) : involved === namespace;
  return matches ? [] : [invalidValue("involvedObject.namespace", involved, mismatch)];
}

function newFormErrors(object: ApiObject, namespace: string, reporter: string): FieldError[] {
  const involved = textOf(fieldsOf(object.involvedObject).namespace);
  const controller = textOf(object.reportingComponent);
  const withoutNamespace = involved === "" && !["default", "kube-system"].includes(namespace);
  return [
    ...(withoutNamespace ? [invalidValue("involvedObject.namespace", involved, mismatch)] : []),
    ...(controller === "" ? [required(reporter, "")] : []),
    ...invalidFor(reporter, controller, isQualifiedName(controller)),
    ...shortText(object, "reportingInstance"),
    ...shortText(object, "action"),
    ...shortText(object, "reason"),
    ...lengthErrors(object, "message", longestNote),
  ];
}

function shortText(object: ApiObject, field: string): FieldError[] {
  return textOf(object[field]) === "" ? [required(field, "")] : lengthErrors(object, field, longestText);
}

function lengthErrors(object: ApiObject, field: string, limit: number): FieldError[] {
  if (byteLength(textOf(object[field])) <= limit) return [];
  return [invalidValue(field, "", `can have at most ${limit} characters`)];
}

function strictErrors(object: ApiObject): FieldError[] {
  const unset = (field: string, isEmpty: boolean): FieldError[] =>
    isEmpty ? [] : [invalidValue(field, "", "needs to be unset")];
  const type = textOf(object.type);
  const { component, host } = fieldsOf(object.source);
  const isType = type === "Normal" || type === "Warning";
  return [
    ...generalErrors(object, "reportingController"),
    ...validateObjectMeta(object.metadata, true, nameIsDNSSubdomain),
    ...validateFinalizerDomains(object.metadata),
    ...seriesErrors(object.series),
    ...(isSet(object.eventTime) ? [] : [required("eventTime", "")]),
    ...(isType ? [] : [invalidValue("type", "", `has invalid value: ${type}`)]),
    ...unset("firstTimestamp", !isSet(object.firstTimestamp)),
    ...unset("lastTimestamp", !isSet(object.lastTimestamp)),
    ...unset("count", numberOf(object.count) === 0),
    ...unset("source", textOf(component) === "" && textOf(host) === ""),
  ];
}

function seriesErrors(series: Json | undefined): FieldError[] {
  if (!isObject(series)) return [];
  return [
    ...(numberOf(series.count) < 2 ? [invalidValue("series.count", "", "should be at least 2")] : []),
    ...(isSet(series.lastObservedTime) ? [] : [required("series.lastObservedTime", "")]),
  ];
}

function changeErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const fixed = (field: string, read: (of: ApiObject) => Json, path = field): FieldError[] =>
    equalJson(object[field] ?? null, old[field] ?? null) ? [] : validateImmutable(read(object), read(old), path);
  const text = (field: string, path = field): FieldError[] => fixed(field, (of) => textOf(of[field]), path);
  const time = (field: string): FieldError[] => fixed(field, (of) => of[field] ?? null);
  return [
    ...generalErrors(object, "reportingController"),
    ...validateObjectMetaUpdate(object.metadata, old.metadata),
    ...validateFinalizerDomains(object.metadata),
    ...(equalJson(object.series ?? null, old.series ?? null) ? [] : seriesErrors(object.series)),
    ...fixed("involvedObject", (of) => shownReference(fieldsOf(of.involvedObject))),
    ...text("reason"),
    ...text("message"),
    ...fixed("source", (of) => shownSource(fieldsOf(of.source))),
    ...time("firstTimestamp"),
    ...time("lastTimestamp"),
    ...fixed("count", (of) => numberOf(of.count)),
    ...text("reason"),
    ...text("type"),
    ...time("eventTime"),
    ...text("action"),
    ...fixed("related", (of) => (isObject(of.related) ? shownReference(of.related) : null)),
    ...text("reportingComponent", "reportingController"),
    ...text("reportingInstance"),
  ];
}

/** A reference as the server shows it: with the names of its Go struct. */
function shownReference(reference: JsonObject): JsonObject {
  return {
    Kind: textOf(reference.kind),
    Namespace: textOf(reference.namespace),
    Name: textOf(reference.name),
    UID: textOf(reference.uid),
    APIVersion: textOf(reference.apiVersion),
    ResourceVersion: textOf(reference.resourceVersion),
    FieldPath: textOf(reference.fieldPath),
  };
}

/** A source as the server shows it. */
function shownSource(source: JsonObject): JsonObject {
  return { Component: textOf(source.component), Host: textOf(source.host) };
}
