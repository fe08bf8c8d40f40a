import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { kindValue, listType } from "./code-lines.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Formats code as the formatter of scaffolded projects does, which has the settings of this repository. */
function formatted(code: string): string {
  const args = ["node_modules/@biomejs/biome/bin/biome", "format", "--stdin-file-path=kind.ts"];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { cwd: root, input: code, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

it("declarations of kinds with 1 to 63 characters are formatted as by the formatter", () => {
  const names = Array.from({ length: 63 }, (_, index) => `K${"i".repeat(index)}`);
  const code = names.map((name) => `${kindValue(name, name)}\n${listType(name)}\n`).join("");
  expect(formatted(code)).toBe(code);
});
