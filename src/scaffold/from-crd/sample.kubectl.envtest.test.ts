// The API server accepts samples of all CRDs in testdata.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { eventually } from "@kubewright/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { Kubectl } from "../../../scripts/test-support/kubectl.ts";
import { thorough } from "../../../scripts/test-support/thorough.ts";
import { sampleProblems } from "../../cli/models/sample-problems.ts";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { readCrd } from "./read.ts";
import { sampleOf } from "./sample.ts";

const testdata = fileURLToPath(new URL("../../../testdata", import.meta.url));
const definitions = readdirSync(testdata, { recursive: true, encoding: "utf8" })
  // Those of from-crd, recursion and combinations aren't valid for the API server, and those of plural differ only in their names.
  .filter(
    (path) =>
      path.endsWith(".yaml") && !/^(schemapatch|from-crd|fixtures\/(plural|recursion|combinations))\//.test(path),
  )
  .map((path) => [path, readCrd(readFileSync(join(testdata, path), "utf8"), path)] as const)
  .filter((entry): entry is readonly [string, CustomResourceDefinition] => !("message" in entry[1]));

const scratch = mkdtempSync(join(tmpdir(), "kubewright-samples-"));
const environment = new TestEnvironment();
let kubectl: Kubectl;

beforeAll(async () => {
  await environment.start();
  kubectl = new Kubectl(environment.kubeconfigPath);
});
afterAll(async () => {
  await environment.stop();
  rmSync(scratch, { recursive: true, force: true });
});

function write(name: string, object: object): string {
  const path = join(scratch, name);
  // kubectl reads YAML 1.1, in which an unquoted `y` is true.
  writeFileSync(path, stringify(object, { version: "1.1" }));
  return path;
}

// All of them take 45 seconds, so only npm run test:full creates a sample of each.
const step = thorough ? 1 : 20;

describe.each(definitions.filter((_, index) => index % step === 0))("%s", (_, { metadata, spec }) => {
  it.each(spec.versions.map((version) => [version.name, version] as const))(
    "has a sample of %s",
    async (name, version) => {
      // The CRD has only one version, to store the object unchanged without a conversion.
      const { conversion, ...rest } = spec;
      const { deprecated, deprecationWarning, ...served } = version;
      const alone = { ...rest, versions: [{ ...served, served: true, storage: true }] };
      const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
      // CRDs of groups in *.k8s.io require this annotation.
      const annotations = { "api-approved.kubernetes.io": "unapproved, a test" };
      const file = write("crd.yaml", { ...crd, metadata: { name: metadata.name, annotations }, spec: alone });
      await kubectl.run("apply", "--server-side", "--force-conflicts", "-f", file);
      const { values, notes } = sampleOf(
        version.schema.openAPIV3Schema,
        { apiVersion: `${spec.group}/${name}`, kind: spec.names.kind, name: "sample" },
        sampleProblems(),
      );
      expect(notes).toEqual([]);
      const sample = write("sample.yaml", {
        apiVersion: `${spec.group}/${name}`,
        kind: spec.names.kind,
        metadata: { name: "sample" },
        ...values,
      });
      await eventually(async () => {
        const { code, stderr } = await kubectl.attempt("create", "--dry-run=server", "-f", sample);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      });
      // The next version can't be the only one while objects of this version may be stored.
      if (version !== spec.versions.at(-1)) await kubectl.run("delete", "crd", metadata.name);
    },
  );
});
