import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../scaffold/files/files-below.ts";
import { generate } from "./generate.ts";
import { disk } from "./source/files.ts";
import { api, generateIn } from "./test-support/hostile.ts";
import { project } from "./test-support/project.ts";
import { requestOf } from "./test-support/request.ts";

const types = api("export interface Spec { a?: string }");
const start = (extra: Readonly<Record<string, string | Uint8Array>> = {}) =>
  project({ "api/v1/types.ts": types, ...extra });
/** Returns a path whose last part isn't UTF-8. */
const bytes = (directory: string, name: string) =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]);

describe("hostile files in a tree", () => {
  it("cause an error with a hint if a source's name isn't UTF-8", async () => {
    const cwd = start();
    writeFileSync(bytes(join(cwd, "api/v1"), "b\xffd.ts"), "export {};\n");
    const { diagnostics, written } = await generateIn(cwd);
    expect(diagnostics).toMatchObject([{ id: "syntax-error", hint: "rename it" }]);
    expect(diagnostics[0]?.message).toBe("cannot read this file: its name is not UTF-8");
    expect(written).toBe("");
  });

  it("are ignored if they aren't sources and their names aren't UTF-8", async () => {
    const cwd = start();
    writeFileSync(bytes(cwd, "b\xffd.txt"), "");
    writeFileSync(bytes(join(cwd, "api/v1"), "b\xffd.json"), "");
    mkdirSync(bytes(cwd, "b\xffd"));
    writeFileSync(Buffer.concat([bytes(cwd, "b\xffd"), Buffer.from("/x.ts")]), "");
    const { diagnostics, written } = await generateIn(cwd);
    expect(diagnostics.map(({ id, severity }) => `${id} ${severity}`)).toEqual(["unlisted-directory warning"]);
    expect(written).toContain("kind: Thing");
    const paths = filesBelow(cwd, "");
    expect(paths).toEqual(["api/v1/types.ts"]);
  });

  it("have escaped line breaks and control characters in messages", async () => {
    const cwd = start({ "api/v1/a\n\u001b[31m\u202e.ts": "export interface X { a: }" });
    const { shown } = await generateIn(cwd);
    for (const character of ["\u001b", "\u202e"]) expect(shown).not.toContain(character);
    expect(shown.split("\n")[0]).toContain("api/v1/a\\u000a\\u001b[31m\\u202e.ts:1:25");
  });

  it("are ignored if they are pipes, devices, dangling links or cyclic links", async () => {
    const cwd = start();
    execFileSync("mkfifo", [join(cwd, "api/v1/pipe.ts"), join(cwd, "api/v1/pipe.yaml")]);
    symlinkSync("/dev/zero", join(cwd, "api/v1/zero.ts"));
    symlinkSync("pipe.ts", join(cwd, "api/v1/to-pipe.ts"));
    symlinkSync("loop.ts", join(cwd, "api/v1/loop.ts"));
    symlinkSync("nothing.ts", join(cwd, "api/v1/dangling.ts"));
    symlinkSync("..", join(cwd, "api/v1/up"));
    const { ids, written } = await generateIn(cwd);
    expect(ids).toEqual([]);
    expect(written).toContain("kind: Thing");
    expect(disk.yamlFiles(join(cwd, "api/v1"))).toEqual([]);
  });

  it("cause an error if they are too large or were removed before they are read", async () => {
    const cwd = start({ "api/v1/huge.ts": "", "api/v1/gone.ts": "" });
    truncateSync(join(cwd, "api/v1/huge.ts"), 5_000_000_000);
    const request = requestOf(cwd, ["crd", "paths=./...", "output:dir=out"]);
    const gone = (path: string) => path.endsWith("gone.ts");
    const read = (path: string) => {
      if (gone(path)) throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT" });
      return disk.read(path);
    };
    const files = { ...disk, read, isFile: (path: string) => !gone(path) && disk.isFile(path) };
    const { diagnostics } = await generate(request, undefined, files);
    expect(diagnostics.map(({ id, message }) => `${id}: ${message.replace(cwd, "")}`)).toEqual([
      "syntax-error: cannot read this file: ENOENT: no such file, open '/api/v1/gone.ts'",
      "syntax-error: cannot read this file: it has 5000000000 bytes, more than 67108864",
    ]);
  });
});
