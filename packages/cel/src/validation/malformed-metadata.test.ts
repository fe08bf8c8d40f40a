import { expect, it } from "vitest";
import type { JsonObject } from "../json/json.ts";
import { fieldErrorMessage } from "./field-error.ts";
import { malformedMetadata } from "./malformed-metadata.ts";

it.each<[metadata: JsonObject, problem: string]>([
  [{ labels: 5 }, "cannot restore map from int64"],
  [{ labels: { a: 1, b: "c" } }, "cannot convert int64 to string"],
  [{ annotations: "x" }, "cannot restore map from string"],
  [{ finalizers: "x" }, "cannot restore slice from string"],
  [{ finalizers: ["x.example.com/y", 5] }, "cannot convert int64 to string"],
  [{ ownerReferences: "x" }, "cannot restore slice from string"],
  [{ ownerReferences: ["x"] }, "cannot restore struct from: string"],
  [{ ownerReferences: [{ uid: 5 }] }, "cannot convert int64 to types.UID"],
  [{ deletionTimestamp: 5 }, "json: cannot unmarshal number into Go value of type string"],
  [{ managedFields: "x" }, "cannot restore slice from string"],
  [{ name: 5, labels: 5 }, "cannot convert int64 to string"],
  [{ generateName: [] }, "cannot convert []interface {} to string"],
])("%j has a field of the wrong type", (metadata, problem) => {
  const error = malformedMetadata(metadata);
  expect(error && fieldErrorMessage(error)).toBe(`metadata: Invalid value: ${JSON.stringify(metadata)}: ${problem}`);
});

it.each<JsonObject>([
  { generation: "x", creationTimestamp: "yesterday", namespace: 5, uid: 5, unknown: 1 },
  { labels: null, annotations: { a: null }, finalizers: [null], deletionGracePeriodSeconds: 1 },
])("%j is replaced or allowed", (metadata) => {
  expect(malformedMetadata(metadata)).toBeUndefined();
});
