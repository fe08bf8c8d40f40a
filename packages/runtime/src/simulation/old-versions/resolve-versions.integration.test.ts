import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { narrowPath } from "../../../../../scripts/test-support/tools.ts";
import { resolveVersions } from "./resolve-versions.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-versions-")));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

it("extracts a revision with git as the only program", async () => {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  git("init", "--quiet");
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/main.ts"), "// old\n");
  git("add", "--all");
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  git(...author, "commit", "--quiet", "--message", "Old");
  git("tag", "v1");
  writeFileSync(join(root, "src/main.ts"), "// new\n");
  vi.stubEnv("PATH", narrowPath(join(root, "programs"), ["git"]));
  const [version] = await resolveVersions(["v1"], [], root);
  expect(version).toMatchObject({ name: "v1", kind: "revision" });
  expect(readFileSync(join(version?.directory ?? "", "src/main.ts"), "utf8")).toBe("// old\n");
});
