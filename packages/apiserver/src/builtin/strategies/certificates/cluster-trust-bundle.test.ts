import { readFileSync } from "node:fs";
import { fieldErrorMessage } from "@kubewright/cel/validation";
import { expect, test } from "vitest";
import { Authority } from "../../../http/certificates.ts";
import type { ApiObject, StrategyContext } from "../../../model/resource.ts";
import { clusterTrustBundle } from "./cluster-trust-bundle.ts";

const trustBundle = new Authority("ca", Date.now).cert;
const context = {} as StrategyContext;

function errors(name: string, spec: { signerName?: string; trustBundle: string }): string[] {
  const object = { metadata: { name }, spec } as ApiObject;
  return (clusterTrustBundle.validate?.(object, context) ?? []).map(fieldErrorMessage);
}

test("names begin with the signer, if there is one", () => {
  expect(errors("a", { trustBundle })).toEqual([]);
  expect(errors("example.com:s:a", { signerName: "example.com/s", trustBundle })).toEqual([]);
  expect(errors("a", { signerName: "example.com/s", trustBundle })).toEqual([
    'metadata.name: Invalid value: "a": ClusterTrustBundle for signerName example.com/s must be named with prefix example.com:s:',
  ]);
  expect(errors("example.com:s:a", { trustBundle })).toEqual([
    'metadata.name: Invalid value: "example.com:s:a": ClusterTrustBundle without signer name must not have ":" in its name',
  ]);
});

test("bundles have certificates of authorities, each once", () => {
  const request = readFileSync(new URL("../../../../testdata/certificates/request.pem", import.meta.url), "utf8");
  const problem = (bundle: string): string[] => errors("a", { trustBundle: bundle });
  const path = 'spec.trustBundle: Invalid value: "<value omitted>"';
  expect(problem("")).toEqual([`${path}: at least one trust anchor must be provided`]);
  expect(problem(request)).toEqual([`${path}: entry 0 has bad block type: CERTIFICATE REQUEST`]);
  expect(problem(trustBundle + trustBundle)).toEqual([`${path}: duplicate trust anchor (indices [0 1])`]);
});
