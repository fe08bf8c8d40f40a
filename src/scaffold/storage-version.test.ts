import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isStorageVersion, markStorageVersion } from "./storage-version.ts";
import { createApi, initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

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
  expect(isStorageVersion(text("v1"))).toBe(false);
  await createApi(root, more("v2"));
  expect(text("v1")).toContain("object:root=true\n// +kubebuilder:storageversion\n// +kubebuilder:subresource");
  expect(isStorageVersion(text("v2"))).toBe(false);
  await createApi(root, more("v3"));
  expect(text("v1").match(/storageversion/g)).toHaveLength(1);
  expect(isStorageVersion(text("v3"))).toBe(false);
});

it("the storage version stays if the user has changed it", async () => {
  const { root, text } = await project();
  await createApi(root, more("v2"));
  writeFileSync(join(root, types("v1")), text("v1").replace("// +kubebuilder:storageversion\n", ""));
  writeFileSync(join(root, types("v2")), markStorageVersion(text("v2"), "Game") ?? "");
  await createApi(root, more("v3"));
  expect([text("v1"), text("v2"), text("v3")].map(isStorageVersion)).toEqual([false, true, false]);
});

it("the storage version stays if a version is created again with force", async () => {
  const { root, text } = await project();
  await createApi(root, more("v2"));
  await createApi(root, { ...more("v1"), force: true });
  expect([text("v1"), text("v2")].map(isStorageVersion)).toEqual([true, false]);
});

it("the storage version is left to the user if the kind isn't found", async () => {
  const { root, text } = await project();
  writeFileSync(join(root, types("v1")), "// mine\n");
  const { notes } = await createApi(root, more("v2"));
  expect(text("v1")).toBe("// mine\n");
  expect(notes).toEqual([expect.stringContaining(`"// +kubebuilder:storageversion" above it in ${types("v1")}`)]);
});

it("markStorageVersion ignores the markers of other kinds", () => {
  const text = "// +kubebuilder:object:root=true\nexport interface Other {}\nexport interface Game {}\n";
  expect(markStorageVersion(text, "Game")).toBeUndefined();
  expect(markStorageVersion(text, "Other")).toContain(
    "root=true\n// +kubebuilder:storageversion\nexport interface Other",
  );
});
