import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { crd } from "../envtest/testdata/crd.ts";
import { readCRDs } from "./crds.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-read-crds-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const names = (...crdDirectoryPaths: string[]) =>
  readCRDs({ crdDirectoryPaths, crds: [], errorIfCRDPathMissing: true }).map(({ spec }) => spec.names.plural);
const put = (path: string, ...documents: unknown[]): void =>
  writeFileSync(join(root, path), documents.map((document) => JSON.stringify(document)).join("\n---\n"));

it("readCRDs reads directories and files with several documents, and skips other kinds and files", () => {
  put("a.yaml", crd("apples", "Apple"), { apiVersion: "v1", kind: "Namespace" }, crd("pears", "Pear"), null);
  put("b.json", crd("plums", "Plum"));
  writeFileSync(join(root, "README.md"), "{{{");
  mkdirSync(join(root, "below.yaml"));
  expect(names(root)).toEqual(["apples", "pears", "plums"]);
  expect(names(join(root, "b.json"))).toEqual(["plums"]);
});

it("readCRDs returns one CRD per name, and prefers objects to files", () => {
  put("a.yaml", crd("apples", "Apple"));
  const newer = crd("apples", "Apple", ["v1", "v2"]) as KubernetesObject;
  const read = readCRDs({ crdDirectoryPaths: [root], crds: [newer], errorIfCRDPathMissing: true });
  expect(read.map(({ spec }) => spec.versions.length)).toEqual([2]);
});

it("readCRDs reports the file that can't be read", () => {
  writeFileSync(join(root, "bad.yaml"), "a: [");
  expect(() => names(root)).toThrow(join(root, "bad.yaml"));
  rmSync(join(root, "bad.yaml"));
  put("empty.yaml", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "x" },
  });
  expect(() => names(root)).toThrow(/empty\.yaml: a CustomResourceDefinition without/);
});

it("readCRDs rejects a path that doesn't exist, unless the option allows it", () => {
  const missing = join(root, "none");
  expect(() => names(missing)).toThrow(`${missing}: no such file or directory`);
  const sources = { crdDirectoryPaths: [missing], crds: [], errorIfCRDPathMissing: false };
  expect(readCRDs(sources)).toEqual([]);
});

it("readCRDs rejects objects that aren't CRDs", () => {
  const sources = { crdDirectoryPaths: [], crds: [{ apiVersion: "v1", kind: "Pod" }], errorIfCRDPathMissing: true };
  expect(() => readCRDs(sources)).toThrow("crds[0] isn't");
});
