import { readFileSync } from "node:fs";
import { cloneJson, type JsonObject } from "@kubewright/cel/json";
import { fieldErrorMessage } from "@kubewright/cel/validation";
import { expect, test } from "vitest";
import type { ApiObject, StrategyContext } from "../../../model/resource.ts";
import { certificateSigningRequests as strategy } from "./certificate-signing-request.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../../../../testdata/certificates/${name}`, import.meta.url)).toString("base64");
const request = read("request.pem");
const user = { name: "alice", uid: "u", groups: ["g"], extra: { a: ["b"] } };
const context = (subresource: string): StrategyContext => ({
  user,
  dryRun: false,
  now: Date.parse("2026-01-01T00:00:00Z"),
  random: () => 0,
  warn: () => undefined,
  subresource,
  get: () => undefined,
  put: () => undefined,
  remove: () => undefined,
});
const time = "2026-01-01T00:00:00Z";
const spec = { request, signerName: "example.com/s", usages: ["client auth"] };
const object = (status: JsonObject = {}, changes: JsonObject = {}): ApiObject => ({
  metadata: { name: "a" },
  spec: { ...spec, ...changes },
  status,
});

function update(subresource: string, old: ApiObject, next: ApiObject): { object: ApiObject; errors: string[] } {
  const changed = cloneJson(next);
  strategy.prepareForUpdate?.(changed, old, context(subresource));
  const errors = strategy.validateUpdate?.(changed, old, context(subresource)) ?? [];
  return { object: changed, errors: errors.map(fieldErrorMessage) };
}

test("a new request has the user of the request, and no decision", () => {
  const created = object({ conditions: [{ type: "Approved", status: "True" }] }, { username: "root", groups: ["x"] });
  strategy.prepareForCreate?.(created, context(""));
  expect(created).toEqual({
    metadata: { name: "a" },
    spec: { ...spec, username: "alice", uid: "u", groups: ["g"], extra: { a: ["b"] } },
    status: {},
  });
  expect(strategy.validate?.(created, context(""))).toEqual([]);
});

const invalid: [string, JsonObject, string[]][] = [
  [
    "without contents",
    { request: undefined as unknown as null, signerName: "", usages: [] },
    [
      "spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST",
      "spec.usages: Required value",
      "spec.signerName: Required value",
    ],
  ],
  [
    "with a signer whose parts aren't valid",
    { signerName: "A b/c_" },
    [
      `spec.signerName: Invalid value: "A b": validating label "A b": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      'spec.signerName: Invalid value: "A b": should be a domain with at least two segments separated by dots',
      expect.stringContaining(
        'spec.signerName: Invalid value: "c_": validating label "c_": a lowercase RFC 1123 subdomain',
      ),
    ],
  ],
  [
    "with a signer that isn't a domain and a path",
    { signerName: "bad" },
    [
      `spec.signerName: Invalid value: "bad": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
  ],
  ["with a repeated usage", { usages: ["any", "any"] }, ['spec.usages[1]: Duplicate value: "any"']],
  [
    "for a short time",
    { expirationSeconds: 5 },
    ["spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 600 seconds (10 minutes)"],
  ],
];

test.each(invalid)("a request %s is invalid", (_name, changes, expected) => {
  const errors = strategy.validate?.(object({}, changes), context("")) ?? [];
  expect(errors.map(fieldErrorMessage)).toEqual(expected);
});

test("a request can be signed with SHA-1", () => {
  const signed = object({}, { request: read("request-sha1.pem") });
  expect(strategy.validate?.(signed, context(""))).toEqual([]);
});

test("a request whose signature is wrong is invalid", () => {
  const der = Buffer.from(
    Buffer.from(request, "base64")
      .toString()
      .replace(/-----[^-]*-----|\s/g, ""),
    "base64",
  );
  der[der.length - 1] = (der.at(-1) as number) ^ 1;
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
  const errors = strategy.validate?.(object({}, { request: Buffer.from(pem).toString("base64") }), context("")) ?? [];
  expect(errors.map(({ detail }) => detail)).toEqual(["x509: ECDSA verification failure"]);
});

const approved = { type: "Approved", status: "True", reason: "R", lastUpdateTime: time, lastTransitionTime: time };

test("approval sets conditions with their times, and nothing else", () => {
  const next = object(
    { conditions: [{ type: "Approved", status: "True", reason: "R" }], certificate: "eA==" },
    { usages: ["any"] },
  );
  const { object: result, errors } = update("approval", object(), next);
  expect(result).toEqual(object({ conditions: [approved] }));
  expect(errors).toEqual([]);
});

test("conditions can't be removed, must be True, and can't be both Approved and Denied", () => {
  const old = object({ conditions: [approved] });
  expect(update("approval", old, object({ conditions: [{ ...approved, status: "False" }] })).errors).toEqual([
    'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
  ]);
  const denied = { type: "Denied", status: "True" };
  const both = ["Approved", "Denied"].map((type) => `conditions[{"type": "${type}"}]`);
  expect(update("approval", old, object({ conditions: [denied] })).errors).toEqual([
    'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
  ]);
  expect(update("approval", old, object({ conditions: [approved, denied] })).errors).toEqual([
    `status.conditions: Invalid value: ${JSON.stringify(`{${both.join(", ")}}`)}: must specify at most one of: ${both.map((one) => `\`${one}\``).join(", ")}`,
  ]);
});

test("status sets the certificate, but no decision", () => {
  expect(update("status", object(), object({ certificate: "eA==" })).errors).toEqual([
    'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
  ]);
  expect(update("status", object(), object({ conditions: [approved] })).errors).toEqual([
    'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
  ]);
});

test("an update without a subresource changes only metadata", () => {
  const old = object({ conditions: [approved] });
  const { object: result, errors } = update("", old, object({}, { usages: ["server auth"] }));
  expect(result).toEqual(old);
  expect(errors).toEqual([]);
});
