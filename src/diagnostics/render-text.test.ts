import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { displayPath } from "./render-text.ts";

describe("paths in messages", () => {
  it.each([
    [posix, "/p/api/v1/a.ts", "/p", "api/v1/a.ts"],
    [posix, "/q/a.ts", "/p", "../q/a.ts"],
    [posix, "/p", "/p", "."],
    [win32, "C:\\p\\api\\v1\\a.ts", "C:\\p", "api/v1/a.ts"],
    [win32, "C:\\q\\a.ts", "c:\\p", "../q/a.ts"],
    [win32, "D:\\a.ts", "C:\\p", "D:/a.ts"],
  ] as const)("%#: contain / on every system", (paths, file, cwd, shown) => {
    expect(displayPath(file, cwd, paths)).toBe(shown);
  });
});
