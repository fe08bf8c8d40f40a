import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { readProject } from "./project-file.ts";

const text = readFileSync(join(import.meta.dirname, "../../testdata/projects/webhooks/PROJECT"), "utf8");
const hostile = [
  "../../x",
  "a/../../x",
  "/etc/x",
  "-x",
  "--kubeconfig=x",
  'x"; evil(); "',
  "x\ny",
  "$(x)",
  "\u2028",
  " ",
];

/** Returns PROJECT with another value at a path. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const document = parseDocument(text);
  document.setIn(path, value);
  return document.toString();
}

describe("names in the PROJECT of a checkout", () => {
  it.each([
    ["version"],
    ["kind"],
    ["group"],
    ["domain"],
    ["plural"],
    ["path"],
    ["module"],
    ["webhooks", "defaultingPath"],
    ["webhooks", "validationPath"],
  ])("are rejected if they contain a path, a flag or code: %s %s", (...key) => {
    for (const value of hostile) {
      // Webhooks may use this path.
      if (key[0] === "webhooks" && value === "/etc/x") continue;
      expect(readProject(changed(["resources", 0, ...key], value)), JSON.stringify([key, value])).toMatchObject({
        id: "broken-project",
        message: expect.stringContaining(`resources[0].${key.join(".")}`),
      });
    }
  });

  it.each([
    [["webhooks", "spoke"], (value: string) => [value], "webhooks.spoke"],
    [["controllers"], (value: string) => [{ name: value }], "controllers"],
    [["controllers"], (value: string) => value, "controllers"],
    [["controllers"], () => [null], "controllers"],
  ] as const)("are rejected in lists: %j", (key, make, shown) => {
    for (const value of hostile) {
      const result = readProject(changed(["resources", 0, ...key], make(value)));
      expect(result).toMatchObject({ message: expect.stringContaining(`resources[0].${shown}`) });
    }
  });

  it("are accepted in the form that commands write", () => {
    expect(readProject(text)).toMatchObject({ projectName: expect.any(String) });
  });
});
