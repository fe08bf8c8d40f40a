import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { applyPlan } from "./apply.ts";

describe("temporary files of a killed run", () => {
  it("are removed by the next run, which keeps all other files", () => {
    const root = mkdtempSync(join(tmpdir(), "kubewright-output-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const dead = spawnSync(process.execPath, ["-e", "console.log(process.pid)"], { encoding: "utf8" }).stdout.trim();
    const name = (pid: string | number) => `.kubewright-${pid}-0123456789ab.tmp`;
    const others = [name(process.pid), ".role.yaml.0123456789ab.tmp", ".kubewright-1-x.tmp", "mine.yaml"];
    for (const file of [name(dead), ...others]) writeFileSync(join(root, file), "");
    writeFileSync(join(root, "target"), "");
    symlinkSync("target", join(root, `.kubewright-${dead}-ba9876543210.tmp`));
    mkdirSync(join(root, `.kubewright-${dead}-aaaaaaaaaaaa.tmp`));
    applyPlan([{ path: join(root, "new.yaml"), after: "new", action: "create" }]);
    expect(readdirSync(root).sort()).toEqual(
      [
        ...others,
        "new.yaml",
        "target",
        `.kubewright-${dead}-ba9876543210.tmp`,
        `.kubewright-${dead}-aaaaaaaaaaaa.tmp`,
      ].sort(),
    );
    expect(existsSync(join(root, name(dead)))).toBe(false);
  });
});
