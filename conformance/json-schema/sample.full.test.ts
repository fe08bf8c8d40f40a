// The verdicts of JSON Schemas on random and mutated objects beside those of a real API server, for a few definitions.
import { join } from "node:path";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../scripts/lib/run.mjs";
import { branches, named } from "../../src/generate/jsonschema/test-support/definitions.ts";
import { compareVerdicts } from "../../src/generate/jsonschema/test-support/verdicts.ts";
import type { CustomResourceDefinition } from "../../src/kubernetes/custom-resource-definition.ts";
import { RealServer } from "../api-schemas/compare.ts";
import { definitionsIn } from "./definitions.ts";
import { judgeOf, type Server } from "./judges.ts";

const environment = new TestEnvironment();
let server: Server;

beforeAll(async () => {
  const real = new RealServer(await environment.start());
  server = { send: (method, path, body) => real.send(method, path, body as never), stop: () => environment.stop() };
});
afterAll(() => server.stop());

const generated = ["generate", "fixtures/cronjob/expected", "fixtures/oneof/expected"].flatMap((directory) =>
  definitionsIn(join(root, "testdata", directory), 2),
);
const other = { ...branches, spec: { ...branches.spec, group: "branches.example.com" } };
const crds: CustomResourceDefinition[] = [
  ...generated,
  { ...other, metadata: { name: "things.branches.example.com" } },
  named,
];

it.each(crds.map((crd) => [crd.metadata.name, crd] as const))("%s", async (_, crd) => {
  const { valid, invalid, differences } = await compareVerdicts(
    crd,
    { seed: 11, count: 50 },
    await judgeOf(server, crd),
  );
  expect(differences.slice(0, 3)).toEqual([]);
  expect(Math.min(valid, invalid), `${valid} valid, ${invalid} invalid`).toBeGreaterThan(3);
});
