import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createApi, createWebhook, deleteWebhook, initProject } from "../test-support/game.ts";
import { testDirectory } from "../test-support/tree.ts";
import { planOfUpgrade } from "../test-support/upgrade.ts";

async function versions(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  await createApi(root, { version: "v2", controller: false });
  return root;
}
const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const edit = (root: string, path: string, change: (text: string) => string) =>
  writeFileSync(join(root, path), change(text(root, path)));

it("tests of webhooks and conversions have the values of the samples, each version those of its own one", async () => {
  const root = await versions();
  const spec = (title: string) =>
    `spec:\n  title: ${title}\n  "free text": 1234567890123456789\n  parts: [{enabled: true}, {}]\n`;
  for (const version of ["v1", "v2"]) {
    edit(root, `config/samples/myapp_${version}_game.yaml`, (sample) => sample.replace("spec: {}\n", spec(version)));
  }
  const expected = (title: string) =>
    `    spec: {\n      title: "${title}",\n      "free text": 1234567890123456789,\n      parts: [\n        {\n          enabled: true,\n        },\n        {},\n      ],\n    },\n`;
  await createWebhook(root, { defaulting: true, conversion: true, spokes: ["v2"] });
  const conversion = text(root, "api/v2/game-conversion.test.ts");
  for (const version of ["v1", "v2"]) expect(conversion).toContain(expected(version));
  const test = text(root, "src/webhook/v1/game-webhook.test.ts");
  expect(test).toContain(expected("v1"));
  expect(test).not.toContain("Set the required fields");
  expect((await planOfUpgrade(root)).operations).toEqual([]);
  await deleteWebhook(root, { types: ["defaulting", "conversion"] });
  expect(existsSync(join(root, "src/webhook/v1/game-webhook.test.ts"))).toBe(false);
});

it("tests have an empty value if the sample isn't YAML, or belongs to another version", async () => {
  const root = await versions();
  edit(root, "config/samples/myapp_v1_game.yaml", () => "spec: {a: 1}}\n");
  edit(root, "config/samples/myapp_v2_game.yaml", (sample) => sample.replace("/v2", "/v1").replace("{}", "{a: 1}"));
  await createWebhook(root, { conversion: true, spokes: ["v2"] });
  expect(text(root, "api/v2/game-conversion.test.ts")).not.toContain("a: 1");
});
