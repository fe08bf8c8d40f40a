import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { countAttempts, gameProject, projectOf, Sandbox } from "./sandbox.ts";

const archive = ".kubewright/pristine.txtar";

let game: Awaited<ReturnType<typeof projectOf>>;
beforeAll(async () => {
  game = await projectOf(gameProject);
});
afterAll(() => game.remove());

describe("a checkout with hostile state of the tool", () => {
  it("can't move or remove files inside or outside of it with a journal", async ({ task }) => {
    const entries = [
      [{ path: "loot.txt", backup: "../../secret.txt" }],
      [{ path: "loot.txt", backup: "BASE/secret.txt" }],
      [{ path: "loot.txt", before: { backup: "../../secret.txt", mode: 0o644 } }],
      [{ path: "../secret.txt", backup: "0.old" }],
      [{ path: "loot.txt", backup: "link.old" }],
      [{ path: "linked/secret.txt", backup: "0.old" }],
    ];
    for (const [index, list] of entries.entries()) {
      const sandbox = new Sandbox(game.path);
      const staging = join(sandbox.project, ".kubewright-01234567-89ab-cdef-0123-456789abcdef.tmp");
      mkdirSync(staging);
      writeFileSync(join(staging, "0.old"), "evil");
      symlinkSync("../../secret.txt", join(staging, "link.old"));
      symlinkSync("../beside", join(sandbox.project, "linked"));
      const journal = JSON.stringify({ entries: list, directories: ["../beside"] }).replaceAll("BASE", sandbox.base);
      writeFileSync(join(staging, "journal.json"), journal);
      const [outside, before] = [sandbox.outside(), sandbox.tree()];
      for (const call of index === 0
        ? ["", "edit --multigroup=false", "upgrade --check"]
        : ["edit --multigroup=false"]) {
        const { stderr } = await sandbox.scaffold(call === "" ? [] : call.split(" "));
        expect(stderr, `${index}: ${call}`).not.toContain("taken back");
      }
      expect(sandbox.outside(), `${index}`).toEqual(outside);
      expect(sandbox.tree(), `${index}`).toEqual(before);
    }
    countAttempts(task, entries.length + 2);
  });

  it.each<[string, (project: string) => void, RegExp]>([
    [
      "the unpacked size of a copy",
      (project) => {
        const member = gzipSync(Buffer.alloc(64 * 1024 * 1024));
        const bomb = Buffer.concat(Array.from({ length: 24 }, () => member));
        rmSync(join(project, archive));
        mkdirSync(join(project, ".kubewright/pristine/src"), { recursive: true });
        writeFileSync(join(project, ".kubewright/pristine/src/main.ts.gz"), bomb);
      },
      /^error: \.kubewright\/pristine\/src\/main\.ts\.gz can't be read: it unpacks to more than 8 MiB\n/,
    ],
    [
      "the number of files in the archive of copies",
      (project) => writeFileSync(join(project, archive), "-- a --\n".repeat(8 * 1024 * 1024 - 1)),
      /^error: \.kubewright\/pristine\.txtar can't be read: it contains more than 20000 files\n/,
    ],
    [
      "the number of lines in the archive of copies",
      (project) => writeFileSync(join(project, archive), `-- a --\n${"\\\n".repeat(31 * 1024 * 1024)}`),
      /^error: \.kubewright\/pristine\.txtar can't be read: the text of a doesn't match its digest\n/,
    ],
  ])("can't exhaust the memory of upgrade by %s", async (_, prepare, message) => {
    const sandbox = new Sandbox(game.path);
    prepare(sandbox.project);
    const script = `${scaffoldBin} upgrade`;
    const measure =
      'process.on("exit", () => process.stderr.write("\\npeak " + process.resourceUsage().maxRSS + "\\n"))';
    const preload = join(sandbox.base, "measure.cjs");
    writeFileSync(preload, measure);
    const args = ["--require", preload, ...script.split(" ")];
    const { code, stderr } = await run(process.execPath, args, { cwd: sandbox.project, env: sandbox.env });
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
    const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
    process.stderr.write(`peak with a bomb: ${peak.toFixed(0)} MiB\n`);
    expect(peak).toBeLessThan(300);
  });
});
