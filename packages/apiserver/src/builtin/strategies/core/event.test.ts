import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import { callsOf } from "../strategy.fixture.ts";
import { event, strictEvent } from "./event.ts";

const metadata = { name: "a", namespace: "n", resourceVersion: "1" };
const eventTime = "2026-01-01T00:00:00.000000Z";
const incomplete = [
  "Required value",
  'Invalid value: "": name part must be non-empty',
  `Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
];

describe("events of core/v1", () => {
  const { create, update } = callsOf(event);
  const errors = (fields: JsonObject): string[] => create({ metadata, ...fields }).errors;

  test("must be in the namespace of their object", () => {
    expect(errors({ involvedObject: { namespace: "n" } })).toEqual([]);
    expect(errors({ involvedObject: { namespace: "other" } })).toEqual([
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    ]);
    expect(errors({ involvedObject: {} })).toEqual([
      'involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ]);
    expect(errors({ metadata: { ...metadata, namespace: "default" }, involvedObject: {} })).toEqual([]);
  });

  test("of the newer form need a reporter and an action", () => {
    const involvedObject = { namespace: "n" };
    expect(errors({ involvedObject, eventTime, reason: "r" })).toEqual([
      ...incomplete.map((problem) => `reportingComponent: ${problem}`),
      "reportingInstance: Required value",
      "action: Required value",
    ]);
    const long = "x".repeat(1025);
    const reporter = { reportingComponent: "a/b", reportingInstance: long, action: "a", reason: "r" };
    expect(errors({ involvedObject, eventTime, ...reporter, message: long })).toEqual([
      'reportingInstance: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ]);
  });

  test("may change", () => {
    const involvedObject = { namespace: "n" };
    expect(update({ metadata, involvedObject, reason: "a" }, { metadata, involvedObject, reason: "b" })).toEqual([]);
  });
});

describe("events of events.k8s.io/v1", () => {
  const { create, update } = callsOf(strictEvent);
  const valid = {
    metadata,
    regarding: { namespace: "n" },
    eventTime,
    reportingController: "a",
    reportingInstance: "b",
    action: "c",
    reason: "d",
    type: "Normal",
  };

  test("must be complete, without the fields of the older form", () => {
    expect(create(valid).errors).toEqual([]);
    const old = {
      deprecatedFirstTimestamp: "2026-01-01T00:00:00Z",
      deprecatedLastTimestamp: "2026-01-01T00:00:00Z",
      deprecatedCount: 1,
      deprecatedSource: { host: "h" },
    };
    const invalid = { metadata: { ...metadata, name: "A_b", finalizers: ["f"] }, type: "X", series: { count: 1 } };
    expect(create({ ...valid, ...old, ...invalid }).errors).toEqual([
      expect.stringContaining('metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain'),
      'metadata.finalizers[0]: Invalid value: "f": name is neither a standard finalizer name nor is it fully qualified',
      'series.count: Invalid value: "": should be at least 2',
      "series.lastObservedTime: Required value",
      'type: Invalid value: "": has invalid value: X',
      ...["firstTimestamp", "lastTimestamp", "count", "source"].map(
        (field) => `${field}: Invalid value: "": needs to be unset`,
      ),
    ]);
    expect(create({ ...valid, eventTime: null }).errors).toEqual(["eventTime: Required value"]);
  });

  test("can change only their series", () => {
    const series = { count: 2, lastObservedTime: eventTime };
    expect(update(valid, { ...valid, series })).toEqual([]);
    expect(update(valid, { ...valid, series: {} })).toHaveLength(2);
    expect(update(valid, { ...valid, regarding: { namespace: "n", name: "x" }, note: "m", action: "z" })).toEqual([
      'involvedObject: Invalid value: {"Kind":"","Namespace":"n","Name":"x","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
      'message: Invalid value: "m": field is immutable',
      'action: Invalid value: "z": field is immutable',
    ]);
  });
});
