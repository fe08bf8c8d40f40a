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

/** PROJECT with another value at a place. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const document = parseDocument(text);
  document.setIn(path, value);
  return document.toString();
}

describe("names in a PROJECT that came with a checkout", () => {
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
  ])("are refused if they become a path, a flag or code: %s %s", (...key) => {
    for (const value of hostile) {
      // That is where a webhook may listen.
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
  ] as const)("are refused in lists: %j", (key, make, shown) => {
    for (const value of hostile) {
      const found = readProject(changed(["resources", 0, ...key], make(value)));
      expect(found).toMatchObject({ message: expect.stringContaining(`resources[0].${shown}`) });
    }
  });

  it("are taken as commands record them", () => {
    expect(readProject(text)).toMatchObject({ projectName: expect.any(String) });
  });
});
