import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { project } from "../test-support/project.ts";
import { gitFiles } from "./git.ts";

const crd = "kind: CustomResourceDefinition\n";

function repository(): { cwd: string; git: (...args: string[]) => string } {
  const cwd = project({ "config/a.yaml": crd, "config/b.yml": crd, "config/c.txt": "" });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd, encoding: "utf8" });
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "a");
  return { cwd, git };
}

const program = { path: execFileSync("which", ["git"], { encoding: "utf8" }).trim(), env: process.env };

describe("gitFiles in a hostile checkout", () => {
  it("rejects a revision that looks like an option", async ({ task }) => {
    const { cwd } = repository();
    const hostile = [
      "--output=x",
      "-h",
      "--upload-pack=touch ran",
      "HEAD --exec=touch ran",
      "$(touch ran)",
      "",
      "\u001b[31m",
    ];
    for (const revision of hostile)
      await expect(gitFiles(program, revision, { cwd, directory: "config" })).rejects.toThrow("--against");
    expect([existsSync(join(cwd, "x")), existsSync(join(cwd, "ran"))]).toEqual([false, false]);
    (task.meta as { attempts?: number }).attempts = hostile.length;
  });

  it("doesn't run programs in the repository's configuration", async () => {
    const { cwd, git } = repository();
    const ran = `touch ${join(cwd, "ran")};`;
    for (const key of [
      "core.fsmonitor",
      "core.sshCommand",
      "core.pager",
      "core.askPass",
      "diff.external",
      "diff.x.textconv",
    ]) {
      git("config", key, ran);
    }
    writeFileSync(join(cwd, ".git/info/attributes"), "*.yaml diff=x\n");
    // A partial clone fetches missing objects with a program that its configuration sets.
    git("config", "core.repositoryFormatVersion", "1");
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.url", "ssh://localhost/x");
    git("config", "remote.origin.uploadpack", ran);
    const object = git("-c", "core.fsmonitor=false", "rev-parse", "HEAD:config/b.yml").trim();
    git("-c", "core.fsmonitor=false", "update-ref", "refs/heads/other", "HEAD");
    expect(await gitFiles(program, "HEAD", { cwd, directory: "config" })).toHaveLength(2);
    rmSync(join(cwd, ".git/objects", object.slice(0, 2), object.slice(2)));
    await expect(gitFiles(program, "HEAD", { cwd, directory: "config" })).rejects.toThrow("git can't read");
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });
});
