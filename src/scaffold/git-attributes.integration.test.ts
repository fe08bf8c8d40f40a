import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

const first = ".kubewright/pristine.txtar linguist-generated merge=union\n";
const others = [
  "api/**/index.ts merge=union\n",
  "config/crd/kustomization.yaml merge=union\n",
  "config/rbac/kustomization.yaml merge=union\n",
  "config/samples/kustomization.yaml merge=union\n",
].join("");
const attributes = `${first}${others}`;

it.each<[string, string]>([
  ["", attributes],
  ["* text=auto\n", `* text=auto\n${attributes}`],
  ["* text=auto", `* text=auto\n${attributes}`],
  ["* text=auto\r\n", `* text=auto\r\n${attributes.replaceAll("\n", "\r\n")}`],
  [`${first}*.png binary\n`, `${first}*.png binary\n${others}`],
  [`${attributes}*.png binary\n`, `${attributes}*.png binary\n`],
])("init adds lines to the .gitattributes of a repository: %j", async (before, after) => {
  const root = testDirectory({ ".gitattributes": before });
  await initProject(root);
  expect(readFileSync(join(root, ".gitattributes"), "utf8")).toBe(after);
});
