import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { commandOutput, runCommand } from "./command.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-command-")));
afterAll(() => rmSync(root, { recursive: true }));
/** Returns a project whose commands run a program. */
const place = (name: string, code: string) => {
  const program = join(root, name);
  writeFileSync(program, code);
  return { program, root, env: process.env };
};
const { signal } = new AbortController();

it("a command gets --json, and returns its object and its text", async () => {
  const program = "console.log(JSON.stringify({ text: 'for people', args: process.argv.slice(2) }))";
  expect(await runCommand(place("print.cjs", program), ["edit", "--helm"], signal)).toEqual({
    code: 0,
    json: { args: ["edit", "--helm", "--json"] },
    text: "for people",
  });
});

it("a command that fails is the failure of its first diagnostic", async () => {
  const diagnostics = [{ id: "bad-kind", message: "invalid kind", hint: "use another one" }];
  const program = `console.log(${JSON.stringify(JSON.stringify({ diagnostics }))}); process.exitCode = 1`;
  await expect(commandOutput(place("fail.cjs", program), ["edit"], signal)).rejects.toMatchObject(diagnostics[0] ?? {});
});

it("a command that prints no object is an internal error", async () => {
  const broken = place("broken.cjs", "console.log('out of memory'); process.exitCode = 134");
  await expect(runCommand(broken, ["edit"], signal)).rejects.toMatchObject({
    id: "internal",
    message: "scaffold edit has printed no result: exit code 134",
  });
});

it("a word with a null character, which no program can receive, is an error of usage", async () => {
  const call = runCommand(place("any.cjs", ""), ["edit", "--owner=a\u0000b"], signal);
  await expect(call).rejects.toMatchObject({ id: "usage", message: '"--owner=a\\u0000b" contains a null character' });
});

it("a cancelled command ends, even if it ignores signals", async () => {
  const started = join(root, "started");
  const program = `process.on("SIGTERM", () => {}); require("fs").writeFileSync(${JSON.stringify(started)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const controller = new AbortController();
  const call = runCommand(place("endless.cjs", program), ["simulate"], controller.signal);
  call.catch(() => undefined);
  const { existsSync, readFileSync } = await import("node:fs");
  await expect.poll(() => existsSync(started) && readFileSync(started, "utf8")).toMatch(/^\d+$/);
  controller.abort(new Error("cancelled"));
  await expect(call).rejects.toThrow("cancelled");
  expect(() => process.kill(Number(readFileSync(started, "utf8")), 0)).toThrow("ESRCH");
});
