import { describe, expect, it } from "vitest";
import type { Json } from "../json/json.ts";
import { decodeMetadata } from "./decode-metadata.ts";
import { fieldErrorMessage } from "./field-error.ts";
import { formatTime, normalizeMicroTime, normalizeTime, parseTime } from "./metadata-time.ts";
import { nameIsDNSLabel, nameIsDNSSubdomain } from "./name-rules.ts";
import {
  finalizerWarnings,
  validateFinalizerDomains,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "./validate-metadata.ts";

describe("decodeMetadata", () => {
  it("drops empty and unknown fields, and writes times in UTC", () => {
    const value = {
      name: "a",
      namespace: "",
      labels: {},
      annotations: { b: null },
      creationTimestamp: "2026-01-02T03:04:05.6+01:00",
      ownerReferences: [{ name: "o", other: 1 }],
      deletionGracePeriodSeconds: 0,
      generation: 0,
      foo: 1,
    };
    expect(decodeMetadata(value)).toEqual({
      metadata: {
        name: "a",
        annotations: { b: "" },
        creationTimestamp: "2026-01-02T02:04:05Z",
        ownerReferences: [{ apiVersion: "", kind: "", name: "o", uid: "" }],
        deletionGracePeriodSeconds: 0,
      },
      unknown: ["foo", "ownerReferences[0].other"],
    });
  });

  it.each<[Json, string]>([
    [[], "json: cannot unmarshal array into Go value of type v1.ObjectMeta"],
    [{ name: 1 }, "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string"],
    [{ uid: true }, "json: cannot unmarshal bool into Go struct field ObjectMeta.uid of type types.UID"],
    [{ generation: 1.5 }, "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64"],
    [{ labels: [] }, "json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string"],
    [{ labels: { a: 1 } }, "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"],
    [{ finalizers: "x" }, "json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string"],
    [
      { ownerReferences: [{ name: 1 }] },
      "json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string",
    ],
    [
      { creationTimestamp: "yesterday" },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
  ])("rejects %j", (value, message) => {
    expect(() => decodeMetadata(value)).toThrow(message);
  });

  it("drops fields with the wrong type from stored objects", () => {
    expect(decodeMetadata({ name: "a", labels: "x" }, true).metadata).toEqual({ name: "a" });
  });
});

describe("parseTime", () => {
  it("reads offsets", () => {
    expect(formatTime(parseTime("2026-03-01T00:30:00+01:00"))).toBe("2026-02-28T23:30:00Z");
  });

  it.each([
    ["2026-13-01T00:00:00Z", 'parsing time "2026-13-01T00:00:00Z": month out of range'],
    ["2026-02-30T00:00:00Z", 'parsing time "2026-02-30T00:00:00Z": day out of range'],
    ["2026-01-01T00:00:00", 'cannot parse "" as "Z07:00"'],
    ["2026-01-01T00:00:00Zx", 'parsing time "2026-01-01T00:00:00Zx": extra text: "x"'],
    ["2026-01-01", 'cannot parse "" as "T"'],
    ["2026-01-01T24:00:00Z", 'parsing time "2026-01-01T24:00:00Z": hour out of range'],
    ["2026-01-01T00:00:00+25:00", 'parsing time "2026-01-01T00:00:00+25:00": time zone offset hour out of range'],
    ['é"', String.raw`parsing time "\xc3\xa9\"" as "2006-01-02T15:04:05Z07:00"`],
  ])("rejects %s", (text, message) => {
    expect(() => parseTime(text)).toThrow(message);
  });
});

describe("normalizeTime", () => {
  it.each([
    ["2026-01-01T00:00:00.9Z", "2026-01-01T00:00:00Z"],
    ["2026-01-01T00:00:00,9Z", "2026-01-01T00:00:00Z"],
    ["2026-01-01T5:00:00-01:30", "2026-01-01T06:30:00Z"],
    ["1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z"],
  ])("converts %s to the format of the API", (text, time) => expect(normalizeTime(text)).toBe(time));
});

describe("normalizeMicroTime", () => {
  it("keeps the microseconds", () => {
    expect(normalizeMicroTime("2026-01-01T01:00:00.000007+01:00")).toBe("2026-01-01T00:00:00.000007Z");
  });

  const layout = "2006-01-02T15:04:05.000000Z07:00";
  it.each([
    ["2026-01-01T00:00:00Z", `as "${layout}": cannot parse "Z" as ".000000"`],
    ["2026-01-01T00:00:00.123Z", `as "${layout}": cannot parse ".123Z" as ".000000"`],
    ["2026-01-01T00:00:00.1234567Z", `as "${layout}": cannot parse "7Z" as "Z07:00"`],
    ["2026-02-30T00:00:00.000000Z", 'parsing time "2026-02-30T00:00:00.000000Z": day out of range'],
  ])("rejects %s", (text, message) => expect(() => normalizeMicroTime(text)).toThrow(message));
});

describe("validateObjectMeta", () => {
  const fields = (metadata: Record<string, Json>) =>
    validateObjectMeta(metadata, true, nameIsDNSLabel).map(({ field, type }) => `${field} ${type}`);

  it("accepts valid metadata", () => {
    const labels = { "example.com/a": "b", c: "" };
    expect(fields({ name: "a", namespace: "b", labels, finalizers: ["example.com/f"] })).toEqual([]);
  });

  it("requires a name and a namespace", () => {
    expect(fields({})).toEqual(["metadata.name FieldValueRequired", "metadata.namespace FieldValueRequired"]);
  });

  it("accepts a generateName that ends with a dash", () => {
    expect(fields({ name: "a-x", generateName: "a-", namespace: "b" })).toEqual([]);
    expect(fields({ name: "a", generateName: "-", namespace: "b" })).toEqual([
      "metadata.generateName FieldValueInvalid",
    ]);
  });

  it("rejects a namespace in cluster-scoped objects", () => {
    const [error] = validateObjectMeta({ name: "a", namespace: "b" }, false, nameIsDNSSubdomain);
    expect(fieldErrorMessage(error!)).toBe("metadata.namespace: Forbidden: not allowed on this type");
  });

  it("explains the rule for names", () => {
    const [error] = validateObjectMeta({ name: "A.b", namespace: "b" }, true, nameIsDNSSubdomain);
    expect(fieldErrorMessage(error!)).toBe(
      "metadata.name: Invalid value: \"A.b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    );
  });

  it("limits annotations to 256 KiB", () => {
    expect(fields({ name: "a", namespace: "b", annotations: { a: "x".repeat(262144) } })).toEqual([
      "metadata.annotations FieldValueTooLong",
    ]);
  });

  it("allows only one controller reference", () => {
    const owner = (name: string) => ({ apiVersion: "v1", kind: "K", name, uid: name, controller: true });
    const [error] = validateObjectMeta(
      { name: "a", namespace: "b", ownerReferences: [owner("o"), owner("p")] },
      true,
      nameIsDNSLabel,
    );
    expect(error?.detail).toBe(
      'Only one reference can have Controller set to true. Found "true" in references for K/o and K/p',
    );
  });
});

describe("validateObjectMetaUpdate", () => {
  const update = (metadata: Record<string, Json>, old: Record<string, Json>) =>
    validateObjectMetaUpdate(metadata, old).map(fieldErrorMessage);

  it("keeps the name", () => {
    expect(update({ name: "a", resourceVersion: "1" }, { name: "b" })).toEqual([
      'metadata.name: Invalid value: "a": field is immutable',
    ]);
  });

  it("rejects new finalizers on objects that are being deleted", () => {
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const old = { deletionTimestamp, finalizers: ["a/b"] };
    expect(update({ deletionTimestamp, resourceVersion: "1", finalizers: ["a/b", "c/d"] }, old)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}',
    ]);
  });
});

describe("finalizerWarnings", () => {
  it("warns about new finalizers without a domain", () => {
    expect(
      finalizerWarnings({ finalizers: ["plain", "a.b", "a.b/c", "kept", "orphan"] }, { finalizers: ["kept"] }),
    ).toEqual([
      'metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });
});

describe("validateFinalizerDomains", () => {
  it("rejects finalizers without a domain, except those of the server", () => {
    const finalizers = ["orphan", "foregroundDeletion", "kubernetes", "example.com/a", "a"];
    expect(validateFinalizerDomains({ finalizers }).map(fieldErrorMessage)).toEqual([
      'metadata.finalizers[4]: Invalid value: "a": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });
});
