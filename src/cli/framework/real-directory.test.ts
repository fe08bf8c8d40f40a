import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { setRealDirectory } from "./real-directory.ts";

const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve("typescript-native/package.json")), "bin/tsc");

it("the compiler finds the packages of a workspace whose project is opened through a link", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-link-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, "workspace/packages/operator");
  mkdirSync(join(root, "workspace/node_modules/@types/node"), { recursive: true });
  writeFileSync(join(root, "workspace/node_modules/@types/node/index.d.ts"), "declare const process: object;\n");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "main.ts"), "export const found = process;\n");
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { noEmit: true, types: ["node"] }, files: ["main.ts"] }),
  );
  const link = join(root, "operator");
  symlinkSync(project, link);
  const check = (env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [compiler, "-p", "tsconfig.json"], { cwd: link, env, encoding: "utf8" });
  const env = { ...process.env, PWD: link };
  expect(check(env).stdout).toContain("TS2688");
  setRealDirectory(env, project);
  expect(check(env)).toMatchObject({ status: 0, stdout: "" });
});
