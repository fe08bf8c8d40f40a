import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Installation, installations } from "./installation.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-installation-"));
  const content = { dependencies: { one: "1" }, devDependencies: { "@scope/two": "1" } };
  writeFileSync(join(root, "package.json"), JSON.stringify(content));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function install(...names: string[]): void {
  for (const name of names) {
    const directory = join(root, "node_modules", name);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "package.json"), "{}");
  }
}
const remove = () => rmSync(join(root, "node_modules"), { recursive: true });

it.each(installations)("packages are missing from their removal until %s is written", (file) => {
  install("one", "@scope/two");
  writeFileSync(join(root, file), "");
  const installation = new Installation(root);
  expect(installation.isRunning).toBe(false);
  remove();
  expect(installation.isRunning).toBe(true);
  install("one");
  expect(installation.isRunning).toBe(true);
  writeFileSync(join(root, file), "");
  expect(installation.isRunning).toBe(false);
});

it("packages of another package manager are complete when all dependencies exist", () => {
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules/.package-lock.json"), "");
  const installation = new Installation(root);
  remove();
  install("one", "@scope/two");
  expect(installation.isRunning).toBe(false);
});

it("packages are missing while those of the workspace that contains the project are installed", () => {
  install("one", "@scope/two", "kubewright");
  writeFileSync(join(root, "node_modules/.package-lock.json"), "");
  const member = join(root, "packages/operator");
  mkdirSync(join(member, "node_modules"), { recursive: true });
  writeFileSync(join(member, "package.json"), JSON.stringify({ dependencies: { one: "1" } }));
  const installation = new Installation(member);
  expect(installation.isRunning).toBe(false);
  remove();
  expect(installation.isRunning).toBe(true);
  install("one");
  expect(installation.isRunning).toBe(false);
});

it("packages that no known package manager has installed aren't missing", () => {
  const installation = new Installation(root);
  expect(installation.isRunning).toBe(false);
  writeFileSync(join(root, "package.json"), "{");
  expect(installation.isRunning).toBe(false);
});

it("updates of the session's own packages are returned once", () => {
  const release = (name: string, version: string) => {
    install(name);
    writeFileSync(join(root, "node_modules", name, "package.json"), JSON.stringify({ version }));
  };
  release("kubewright", "1.0.0");
  const installation = new Installation(root);
  release("one", "2.0.0");
  release("@kubewright/apiserver", "1.0.0");
  expect(installation.updates()).toEqual([]);
  remove();
  expect(installation.updates()).toEqual([]);
  release("kubewright", "1.1.0");
  release("@kubewright/apiserver", "1.1.0");
  expect(installation.updates()).toEqual(["kubewright 1.1.0", "@kubewright/apiserver 1.1.0"]);
  expect(installation.updates()).toEqual([]);
});
