// Later versions of imported kinds, and texts with several CRDs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { initProject } from "../../../scaffold/test-support/game.ts";
import { testDirectory } from "../../../scaffold/test-support/tree.ts";
import { runCli } from "../../test-support/run-cli.ts";

/** Returns a CRD whose last version is stored. */
function crd(kind: string, ...versions: string[]): object {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object" } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.shop.example.com` },
    spec: {
      group: "shop.example.com",
      scope: "Namespaced",
      names: { kind, plural },
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === versions.at(-1),
        schema: { openAPIV3Schema },
      })),
    },
  };
}

async function project(): Promise<string> {
  const root = testDirectory();
  await initProject(root, { domain: "example.com" });
  return root;
}

const read = (...flags: string[]) => ["create", "api", "--from-crd", "-", "--controller=false", ...flags];
const stored = (root: string, version: string) =>
  readFileSync(join(root, `api/${version}/cart-types.ts`), "utf8").includes("// +kubebuilder:storageversion\n");

it.each([
  ["one version of a newer CRD", crd("Cart", "v1alpha1", "v1"), ["--version", "v1"]],
  ["a CRD without the old version", crd("Cart", "v1"), []],
  ["a CRD with several other versions", crd("Cart", "v1beta1", "v1"), []],
])("keeps the storage version with %s", async (_, newer, flags) => {
  const root = await project();
  await runCli(root, read(), { input: JSON.stringify(crd("Cart", "v1alpha1")) });
  const end = await runCli(root, read(...flags), { input: JSON.stringify(newer) });
  expect(end.stderr).toContain("Cart is still stored as v1alpha1:");
  expect(["v1alpha1", "v1"].filter((version) => stored(root, version))).toEqual(["v1alpha1"]);
  expect(await runCli(root, ["generate", "crd", "paths=./api/..."])).toMatchObject({ code: 0 });
});

it("stores the version of the CRD if it has all versions of the kind", async () => {
  const root = await project();
  await runCli(root, read(), { input: JSON.stringify(crd("Cart", "v1alpha1")) });
  const input = JSON.stringify(crd("Cart", "v1alpha1", "v1"));
  const end = await runCli(root, read("--force"), { input });
  expect(end.stderr).not.toContain("stored");
  expect(["v1alpha1", "v1"].filter((version) => stored(root, version))).toEqual(["v1"]);
});

it("chooses one of several CRDs by its names", async () => {
  const root = await project();
  const input = [crd("Cart", "v1"), crd("Item", "v1")].map((each) => JSON.stringify(each)).join("\n---\n");
  const many = await runCli(root, read(), { input });
  expect(many.stderr).toMatch(
    /holds several .*: carts\.shop\.example\.com, items\.shop\.example\.com\n {2}hint: choose/,
  );
  const none = await runCli(root, read("--kind", "Order"), { input });
  expect(none.stderr).toContain("holds several CustomResourceDefinitions");
  const one = await runCli(root, read("--group", "shop", "--kind", "Item"), { input });
  expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining("api/v1/item-types.ts") });
});

it("reads a list of the API server, whose items have no kind", async () => {
  const root = await project();
  const { apiVersion, kind: _, ...item } = crd("Cart", "v1") as { apiVersion: string; kind: string };
  const input = JSON.stringify({ apiVersion, kind: "CustomResourceDefinitionList", items: [item] });
  expect(await runCli(root, read(), { input })).toMatchObject({ code: 0 });
});
