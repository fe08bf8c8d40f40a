import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

const attributes = ".kubewright/pristine.txtar linguist-generated merge=union\n";

it.each<[string, string]>([
  ["", attributes],
  ["* text=auto\n", `* text=auto\n${attributes}`],
  ["* text=auto", `* text=auto\n${attributes}`],
  ["* text=auto\r\n", `* text=auto\r\n${attributes.replace("\n", "\r\n")}`],
  [`${attributes}*.png binary\n`, `${attributes}*.png binary\n`],
])("init adds a line to the .gitattributes of a repository: %j", async (before, after) => {
  const root = testDirectory({ ".gitattributes": before });
  await initProject(root);
  expect(readFileSync(join(root, ".gitattributes"), "utf8")).toBe(after);
});
