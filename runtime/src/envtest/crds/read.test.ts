import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { KubernetesObject } from "../../api/index.ts";
import { crd } from "../testdata/crd.ts";
import { readCRDs } from "./read.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-read-crds-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const names = async (...crdDirectoryPaths: string[]) =>
  (await readCRDs({ crdDirectoryPaths, crds: [], errorIfCRDPathMissing: true })).map(({ spec }) => spec.names.plural);
const put = (path: string, ...documents: unknown[]): void =>
  writeFileSync(join(root, path), documents.map((document) => JSON.stringify(document)).join("\n---\n"));

it("reads files of several documents and whole directories, passing over other kinds and files", async () => {
  put("a.yaml", crd("apples", "Apple"), { apiVersion: "v1", kind: "Namespace" }, crd("pears", "Pear"), null);
  put("b.json", crd("plums", "Plum"));
  writeFileSync(join(root, "README.md"), "{{{");
  mkdirSync(join(root, "below.yaml"));
  expect(await names(root)).toEqual(["apples", "pears", "plums"]);
  expect(await names(join(root, "b.json"))).toEqual(["plums"]);
});

it("keeps one CRD a name: objects win over files", async () => {
  put("a.yaml", crd("apples", "Apple"));
  const newer = crd("apples", "Apple", ["v1", "v2"]) as KubernetesObject;
  const read = await readCRDs({ crdDirectoryPaths: [root], crds: [newer], errorIfCRDPathMissing: true });
  expect(read.map(({ spec }) => spec.versions.length)).toEqual([2]);
});

it("names the file that can't be read", async () => {
  writeFileSync(join(root, "bad.yaml"), "a: [");
  await expect(names(root)).rejects.toThrow(join(root, "bad.yaml"));
  rmSync(join(root, "bad.yaml"));
  put("empty.yaml", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "x" },
  });
  await expect(names(root)).rejects.toThrow(/empty\.yaml: a CustomResourceDefinition without/);
});

it("refuses a path that doesn't exist, unless told otherwise", async () => {
  const missing = join(root, "none");
  await expect(names(missing)).rejects.toThrow(`${missing}: no such file or directory`);
  const sources = { crdDirectoryPaths: [missing], crds: [], errorIfCRDPathMissing: false };
  expect(await readCRDs(sources)).toEqual([]);
});

it("refuses objects that are no CRDs", async () => {
  const sources = { crdDirectoryPaths: [], crds: [{ apiVersion: "v1", kind: "Pod" }], errorIfCRDPathMissing: true };
  await expect(readCRDs(sources)).rejects.toThrow("crds[0] is no");
});
