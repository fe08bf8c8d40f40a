import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { liesOutside, partsInside } from "./inside.ts";

describe("paths that leave the project", () => {
  describe("a path of the project", () => {
    it.each([posix, win32])("is split at / on every system", (paths) => {
      expect(partsInside("api/v1/game-types.ts", paths)).toEqual(["api", "v1", "game-types.ts"]);
      expect(partsInside(".github/workflows/test.yml", paths)).toEqual([".github", "workflows", "test.yml"]);
    });

    it.each(["", ".", "..", "../x", "a/../../x", "a//b", "./x", "/etc/x", "a/"])("isn't %j", (path) => {
      for (const paths of [posix, win32]) expect(partsInside(path, paths)).toBeUndefined();
    });

    it.each(["..\\x", "a\\..\\..\\x", "C:\\x", "C:x", "C:/x", "\\\\server\\share", "\\x", "a/b:stream", "a\\b"])(
      "isn't %j on Windows",
      (path) => expect(partsInside(path, win32)).toBeUndefined(),
    );

    it("can have a backslash or a colon in a name on other systems", () => {
      expect(partsInside("a\\b", posix)).toEqual(["a\\b"]);
      expect(partsInside("12:00.ts", posix)).toEqual(["12:00.ts"]);
    });
  });

  it.each([
    [posix, "/p", "/p/a/b", false],
    [posix, "/p", "/p/..a", false],
    [posix, "/p", "/p", false],
    [posix, "/p", "/pa", true],
    [posix, "/p", "/", true],
    [win32, "C:\\p", "C:\\p\\a\\b", false],
    [win32, "C:\\p", "c:\\P\\a", false],
    [win32, "C:\\p", "C:\\p\\..a", false],
    [win32, "C:\\p", "C:\\pa", true],
    [win32, "C:\\p", "C:\\", true],
    [win32, "C:\\p", "D:\\p\\a", true],
    [win32, "C:\\p", "\\\\server\\share\\p", true],
  ] as const)("%#: detects whether a link leaves %s", (paths, directory, path, outside) => {
    expect(liesOutside(directory, path, paths)).toBe(outside);
  });
});
