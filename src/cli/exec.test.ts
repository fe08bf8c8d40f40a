// `exec` of npm scripts, where the shell has none (cmd.exe, yarn's): node_modules/.bin holds this program there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../../bin/exec.js", import.meta.url));
const start = (...command: string[]) =>
  spawn(process.execPath, [program, ...command], { stdio: ["ignore", "pipe", "pipe"] });

it("ends with the exit code of what it ran", async () => {
  expect(await once(start(process.execPath, "-e", "process.exit(7)"), "close")).toEqual([7, null]);
});

it("names a program that can't be run, and ends with 127", async () => {
  const child = start("no-such-program-of-ours");
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  expect(await once(child, "close")).toEqual([127, null]);
  expect(said).toContain("no-such-program-of-ours");
});

it.each(["SIGTERM", "SIGINT"] as const)("hands %s on, and waits for the end", async (signal) => {
  const child = start(
    process.execPath,
    "-e",
    `process.on("${signal}", () => process.exit(3)); setInterval(() => {}, 1000); console.log("up");`,
  );
  await once(child.stdout, "data");
  child.kill(signal);
  expect(await once(child, "close")).toEqual([3, null]);
});
