import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "games.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Game", plural: "games" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { players: { type: "integer", minimum: 2 }, mode: { type: "string", default: "chess" } },
                "x-kubernetes-validations": [{ rule: "self.mode != 'chess' || self.players == 2" }],
              },
            },
          },
        },
      },
    ],
  },
};
/** Validates an object in three lines. */
const program = `
import { createValidator } from "@kubewright/cel";
const validate = createValidator(${JSON.stringify(definition)});
console.log(JSON.stringify(validate({ apiVersion: "example.com/v1", kind: "Game", metadata: { name: "a" }, spec: { players: 3, x: 1 } })));
`;
/** The result that the program prints as JSON. */
export const output = {
  object: {
    apiVersion: "example.com/v1",
    kind: "Game",
    metadata: { name: "a", namespace: "default" },
    spec: { players: 3, mode: "chess" },
  },
  unknownFields: ["spec.x"],
  warnings: [],
  errors: [
    {
      field: "spec",
      type: "FieldValueInvalid",
      message: "spec: Invalid value: failed rule: self.mode != 'chess' || self.players == 2",
    },
  ],
};

/** Installs the packed package in a directory with the program `main.mjs`, which is removed after the tests of the file. */
export function installedPackage(): { readonly home: string; bundle(): Promise<string> } {
  const home = mkdtempSync(join(tmpdir(), "kubewright-cel-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  beforeAll(async () => {
    mkdirSync(join(home, "packed"));
    const packing = ["pack", "--ignore-scripts", "--pack-destination", join(home, "packed"), "--json"];
    const { stdout } = await must("npm", packing, { cwd: join(checkout, "packages/cel") });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    writeFileSync(join(home, "package.json"), '{ "type": "module" }');
    await must("npm", ["install", "--no-audit", "--no-fund", join(home, "packed", filename)], { cwd: home });
    writeFileSync(join(home, "main.mjs"), program);
  });
  return {
    home,
    /** Bundles the program for browsers. Throws if it imports anything that browsers can't load. */
    async bundle() {
      const built = await build({
        absWorkingDir: home,
        entryPoints: ["main.mjs"],
        bundle: true,
        write: false,
        platform: "browser",
        format: "iife",
        logLevel: "silent",
      });
      if (built.warnings.length > 0) throw new Error(JSON.stringify(built.warnings));
      return built.outputFiles[0]?.text ?? "";
    },
  };
}
