import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installPackages, lint } from "../../../scaffold/test-support/formatted.ts";
import { initProject } from "../../../scaffold/test-support/game.ts";
import { testDirectory } from "../../../scaffold/test-support/tree.ts";
import { runCli } from "../../test-support/run-cli.ts";

it("types without fields pass the lint, and keep their descriptions and markers", async () => {
  const root = testDirectory();
  await initProject(root, { domain: "example.org" });
  const empty = { type: "object", description: "One.\n\nTwo." };
  const properties = {
    plain: { type: "object" },
    described: empty,
    atomic: { ...empty, "x-kubernetes-map-type": "atomic" },
    list: { type: "array", items: empty },
    map: { type: "object", additionalProperties: { ...empty, description: "Three." } },
  };
  const schema = {
    type: "object",
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      spec: { type: "object", properties },
      status: empty,
    },
  };
  const names = { kind: "Saw", plural: "saws", singular: "saw", listKind: "SawList" };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "saws.tools.example.org" },
    spec: { group: "tools.example.org", scope: "Namespaced", names, versions: [version] },
  };
  writeFileSync(join(root, "crd.json"), JSON.stringify(definition));
  installPackages(root, "@biomejs/biome");
  expect(await runCli(root, ["create", "api", "--from-crd", "crd.json"])).toMatchObject({ code: 0 });
  rmSync(join(root, "crd.json"));
  expect(lint(root)).toBe("");
  expect(await runCli(root, ["generate"])).toMatchObject({ code: 0 });
  const crd = readFileSync(join(root, "config/crd/bases/tools.example.org_saws.yaml"), "utf8");
  expect(crd.match(/One\.\n\n +Two\./g)).toHaveLength(4);
  expect(crd).toContain("description: Three.");
  expect(crd).toContain("x-kubernetes-map-type: atomic");
});
