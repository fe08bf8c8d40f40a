import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createApi, initProject } from "./test-support/game.ts";
import { snapshot, testDirectory } from "./test-support/tree.ts";

const attributes = ".kubewright/pristine.txtar linguist-generated merge=union\n";

it("are at most 70 after init and create api", async () => {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  const files = Object.keys(snapshot(root)).filter((path) => !path.endsWith("/"));
  expect(files.length).toBeLessThanOrEqual(70);
  expect(files.filter((path) => path.startsWith(".kubewright"))).toEqual([".kubewright/pristine.txtar"]);
});

it.each([
  ["", attributes],
  ["* text=auto\n", `* text=auto\n${attributes}`],
  ["* text=auto", `* text=auto\n${attributes}`],
  ["* text=auto\r\n", `* text=auto\r\n${attributes.replace("\n", "\r\n")}`],
  [`${attributes}*.png binary\n`, `${attributes}*.png binary\n`],
])("keep the .gitattributes of a repository and add a line: %j", async (before, after) => {
  const root = testDirectory({ ".gitattributes": before });
  await initProject(root);
  expect(readFileSync(join(root, ".gitattributes"), "utf8")).toBe(after);
});
