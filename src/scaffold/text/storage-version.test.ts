import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createApi, initProject } from "../test-support/game.ts";
import { testDirectory } from "../test-support/tree.ts";
import { isStorageVersion, markStorageVersion, unmarkStorageVersion } from "./storage-version.ts";

const types = (version: string) => `api/${version}/game-types.ts`;

async function project(): Promise<{ root: string; text: (version: string) => string }> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  return { root, text: (version) => readFileSync(join(root, types(version)), "utf8") };
}
const more = (version: string) => ({ version, controller: false });

it("the storage version stays the first one when a second one is created", async () => {
  const { root, text } = await project();
  expect(isStorageVersion(text("v1"), "Game")).toBe(false);
  await createApi(root, more("v2"));
  expect(text("v1")).toContain("object:root=true\n// +kubebuilder:storageversion\n// +kubebuilder:subresource");
  expect(isStorageVersion(text("v2"), "Game")).toBe(false);
  await createApi(root, more("v3"));
  expect(text("v1").match(/storageversion/g)).toHaveLength(1);
  expect(isStorageVersion(text("v3"), "Game")).toBe(false);
});

it("the storage version stays if the user has changed it", async () => {
  const { root, text } = await project();
  await createApi(root, more("v2"));
  writeFileSync(join(root, types("v1")), text("v1").replace("// +kubebuilder:storageversion\n", ""));
  writeFileSync(join(root, types("v2")), markStorageVersion(text("v2"), "Game") ?? "");
  await createApi(root, more("v3"));
  expect([text("v1"), text("v2"), text("v3")].map((one) => isStorageVersion(one, "Game"))).toEqual([
    false,
    true,
    false,
  ]);
});

it("the storage version stays if a version is created again with force", async () => {
  const { root, text } = await project();
  await createApi(root, more("v2"));
  await createApi(root, { ...more("v1"), force: true });
  expect([text("v1"), text("v2")].map((one) => isStorageVersion(one, "Game"))).toEqual([true, false]);
});

it("the storage version is left to the user if the kind isn't found", async () => {
  const { root, text } = await project();
  writeFileSync(join(root, types("v1")), "// mine\n");
  const { notes } = await createApi(root, more("v2"));
  expect(text("v1")).toBe("// mine\n");
  expect(notes).toEqual([
    expect.stringContaining(`"// +kubebuilder:storageversion" above it in ${types("v1")}`),
    expect.stringContaining("copy the fields of v1"),
  ]);
});

it("markStorageVersion ignores the markers of other kinds", () => {
  const text = "// +kubebuilder:object:root=true\nexport interface Other {}\nexport interface Game {}\n";
  expect(markStorageVersion(text, "Game")).toBe(
    "// +kubebuilder:object:root=true\nexport interface Other {}\n// +kubebuilder:storageversion\nexport interface Game {}\n",
  );
  expect(markStorageVersion(text, "Other")).toContain(
    "root=true\n// +kubebuilder:storageversion\nexport interface Other",
  );
});

it.each([
  ["in a block comment", "/**\n * Game is played\n * +kubebuilder:object:root=true\n */\n"],
  ["on a line of its own", "/** +kubebuilder:object:root=true */\n"],
  ["above another blank line", "// +kubebuilder:object:root=true\n\n/** Game is played */\n"],
])("marks and unmarks a kind whose root marker is %s", (_, comment) => {
  const text = `const x = 1;\n\n${comment}export interface Game {}\n`;
  const marked = markStorageVersion(text, "Game") ?? "";
  expect(marked).not.toBe(text);
  expect(marked.match(/^\/\/ \+kubebuilder:storageversion$/gm)).toHaveLength(1);
  expect(isStorageVersion(marked, "Game")).toBe(true);
  expect(markStorageVersion(marked, "Game")).toBe(marked);
  expect(unmarkStorageVersion(marked, "Game")).toBe(text);
});

it("the marker of another kind in the same file isn't that of the kind", async () => {
  const { root, text } = await project();
  const other = "\n// +kubebuilder:object:root=true\n// +kubebuilder:storageversion\nexport interface Other {}\n";
  writeFileSync(join(root, types("v1")), `${text("v1")}${other}`);
  await createApi(root, more("v2"));
  expect(isStorageVersion(text("v1"), "Game")).toBe(true);
});
