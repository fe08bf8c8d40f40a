// The codec reads and writes the files of k8s.io/api's testdata/HEAD, which Kubernetes' own code wrote: each kind as JSON, YAML
// and protobuf.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeJson, encodePretty, type JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { decodeYaml } from "../../request/yaml.ts";
import { structOfApiVersion } from "../resources.ts";
import { normalize } from "./decode.ts";
import type { GoStruct } from "./go-types.ts";
import { decodeProtobuf, encodeProtobuf } from "./protobuf.ts";

const module = join(import.meta.dirname, "../../../../../scripts/api-data");

/** Returns the directory of the module that the data of built-in kinds comes from. */
function fetchModule(): string {
  const stdout = execFileSync("go", ["mod", "download", "-json", "k8s.io/api"], { cwd: module, encoding: "utf8" });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

const directory = join(fetchModule(), "testdata/HEAD");
const files = readdirSync(directory);
const kinds = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));

const read = (name: string): JsonObject =>
  decodeJson(readFileSync(join(directory, `${name}.json`), "utf8")).value as JsonObject;
const structOf = ({ apiVersion, kind }: JsonObject): GoStruct | undefined =>
  structOfApiVersion(String(apiVersion), String(kind));

it("has three files per kind, and the server supports all kinds except five", () => {
  expect(files).toHaveLength(579);
  expect(kinds).toHaveLength(193);
  expect(kinds.filter((name) => structOf(read(name)) === undefined)).toEqual([
    "admission.k8s.io.v1.AdmissionReview",
    "admission.k8s.io.v1beta1.AdmissionReview",
    "apidiscovery.k8s.io.v2beta1.APIGroupDiscovery",
    "core.v1.WatchEvent",
    "imagepolicy.k8s.io.v1alpha1.ImageReview",
  ]);
});

describe.each(kinds.filter((name) => structOf(read(name)) !== undefined))("%s", (name) => {
  const text = readFileSync(join(directory, `${name}.json`), "utf8");
  const bytes = readFileSync(join(directory, `${name}.pb`));
  const json = read(name);
  const struct = structOf(json) as GoStruct;

  it("is the same object from JSON, YAML and protobuf", () => {
    const normalized = normalize(struct, json);
    const { object, unknown } = normalized;
    expect(unknown).toEqual([]);
    expect(encodePretty(object).trimEnd()).toBe(text.trimEnd());
    const yaml = readFileSync(join(directory, `${name}.yaml`), "utf8");
    expect(normalize(struct, decodeYaml(yaml, (message) => new Error(message)).value)).toEqual(normalized);
    expect(normalize(struct, decodeProtobuf(bytes, structOfApiVersion))).toEqual(normalized);
  });

  it("is written to protobuf as in Go", () => {
    expect(Buffer.from(encodeProtobuf(struct, json)).toString("hex")).toBe(bytes.toString("hex"));
  });
});
