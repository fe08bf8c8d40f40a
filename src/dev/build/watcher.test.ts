import { EventEmitter } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { watch } from "chokidar";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ProjectWatcher } from "./watcher.ts";

let workspace: string;
let root: string;
let changed: string[];
let problems: string[];
let watcher: ProjectWatcher;
const write = (path: string): void => {
  mkdirSync(join(workspace, path, ".."), { recursive: true });
  writeFileSync(join(workspace, path), "");
};
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-workspace-")));
  root = join(workspace, "packages/operator");
  mkdirSync(root, { recursive: true });
  [changed, problems] = [[], []];
  watcher = new ProjectWatcher(
    root,
    (files) => void changed.push(...files),
    (message) => void problems.push(message),
  );
});
afterEach(async () => {
  await watcher.close();
  rmSync(workspace, { recursive: true, force: true });
});

it("follows the bundle's files of other packages of the workspace, also if a build replaces their directory", async () => {
  const files = ["packages/lib/dist/index.js", "packages/lib/dist/none.js", "node_modules/other/index.js"];
  for (const file of files) write(file);
  watcher.follow(
    [...files, "packages/operator/src/main.ts", "packages/missing.js"].map((file) => join(workspace, file)),
  );
  watcher.follow(files.filter((file) => !file.includes("none")).map((file) => join(workspace, file)));
  await watcher.start();
  rmSync(join(workspace, "packages/lib/dist"), { recursive: true });
  for (const file of files) write(file);
  await expect.poll(() => changed).toContain("../lib/dist/index.js");
  expect(new Set(changed)).toEqual(new Set(["../lib/dist/index.js"]));
});

it("reports the end of an installation in the workspace", async () => {
  write("node_modules/.package-lock.json");
  watcher = new ProjectWatcher(root, (files) => void changed.push(...files));
  await watcher.start();
  rmSync(join(workspace, "node_modules"), { recursive: true });
  write("node_modules/.package-lock.json");
  await expect.poll(() => changed).toEqual(["../../node_modules/.package-lock.json"]);
});

it("reports once that changes can't be noticed", async () => {
  const native = Object.assign(new EventEmitter(), { close: async () => undefined });
  const started = watcher.start(() => native as unknown as ReturnType<typeof watch>);
  const error = Object.assign(new Error("ENOSPC: System limit for number of file watchers reached"), {
    code: "ENOSPC",
  });
  for (let count = 0; count < 3; count++) native.emit("error", error);
  native.emit("ready");
  await started;
  expect(problems).toEqual([
    `some changes won't be noticed, press r after them: ${error.message}: raise fs.inotify.max_user_watches`,
  ]);
});
