import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readDefinitions } from "./definition-files.ts";

it("reads defaults of CRDs as kubectl does: dates and times are strings, integers are exact", () => {
  const root = mkdtempSync(join(tmpdir(), "kubewright-definitions-"));
  try {
    const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    const properties = "{day: 2020-01-01, host: 1:30, mode: 0644, open: yes, size: 9007199254740993, on: 1}";
    writeFileSync(join(root, "a.yaml"), `${head}spec: ${properties}\n`);
    const [definition] = readDefinitions([root]);
    expect(definition?.spec).toEqual({
      ...{ day: "2020-01-01", host: "1:30", mode: 420, open: true, size: 9007199254740993n, true: 1 },
    });
  } finally {
    rmSync(root, { recursive: true });
  }
});
