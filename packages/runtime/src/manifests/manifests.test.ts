import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readConfigurations } from "../webhook/local/manifests.ts";
import { readManifests } from "./manifests.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-manifests-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("reads the values that kubectl reads: dates are strings, integers are exact", () => {
  const file = join(root, "a.yaml");
  writeFileSync(
    file,
    "default: 2020-01-01\nmode: 0644\nopen: yes\nsize: 9007199254740993\non: {1.10: 1:30}\n---\n---\n[]\n",
  );
  expect(readManifests(file)).toEqual([
    {
      file,
      value: { default: "2020-01-01", mode: 420, open: true, size: 9007199254740993n, true: { "1.1": "1:30" } },
    },
    { file, value: [] },
  ]);
});

it("reads webhook configurations in the same way", async () => {
  const file = join(root, "manifests.yaml");
  writeFileSync(
    file,
    "kind: ValidatingWebhookConfiguration\nmetadata: {annotations: {day: 2020-01-01}}\nwebhooks:\n- timeoutSeconds: 010\n",
  );
  expect(await readConfigurations(file)).toEqual([
    {
      kind: "ValidatingWebhookConfiguration",
      metadata: { annotations: { day: "2020-01-01" } },
      webhooks: [{ timeoutSeconds: 8 }],
    },
  ]);
});

it("names the file and the line of an error", () => {
  const file = join(root, "a.yaml");
  writeFileSync(file, "a: 1\n---\nb: 1\nb: 2\n");
  expect(() => readManifests(file)).toThrow(`${file}: yaml: line 4: key "b" already set in map`);
});
