import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@kubewright/apiserver";
import { decodeJson } from "@kubewright/cel/json";
import { execa } from "execa";
import { expect, it } from "vitest";
import { ourVerdict, sortedJson } from "./compare.ts";
import { randomObject } from "./documents.ts";

const count = 5000;
const group = "test.example.com";
const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `documents.${group}` },
  spec: {
    group,
    scope: "Cluster",
    names: { kind: "Document", plural: "documents" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};

it(`${count} random manifests have the values that kubectl create --dry-run=client prints`, async () => {
  const root = mkdtempSync(join(tmpdir(), "kubewright-yaml-"));
  const server = await startApiServer({ authorization: "always-allow", crds: [definition] });
  try {
    writeFileSync(join(root, "kubeconfig"), server.kubeconfig());
    const texts = new Map<string, string>();
    for (let index = 0; index < count; index++) {
      const name = `d${index}`;
      const text = `apiVersion: ${group}/v1\nkind: Document\nmetadata: {name: ${name}}\n${randomObject(index + 1)}`;
      texts.set(name, text);
      writeFileSync(join(root, `${name}.yaml`), text);
    }
    const command = ["create", "--dry-run=client", "--validate=false", "-o", "json", "-f", root];
    const { stdout, stderr } = await execa("kubectl", ["--kubeconfig", join(root, "kubeconfig"), ...command], {
      reject: false,
      stripFinalNewline: false,
    });
    const printed = new Map<string, string>();
    for (const json of stdout.split(/(?<=^\}\n)/m)) {
      if (json.trim() === "") continue;
      const { metadata, ...object } = decodeJson(json).value as { metadata: { name: string } };
      printed.set(metadata.name, sortedJson(object));
    }
    expect(printed.size, stderr.slice(0, 1000)).toBeGreaterThan(count * 0.8);
    const different = [...texts].flatMap(([name, text]) => {
      const { verdict, isRandom } = ourVerdict(text);
      const { metadata: _, ...object } =
        verdict === undefined ? {} : (decodeJson(verdict).value as { metadata?: unknown });
      const ours = verdict === undefined ? undefined : sortedJson(object);
      return ours === printed.get(name) || isRandom ? [] : [{ text, ours, theirs: printed.get(name) }];
    });
    expect(different.length).toBeLessThan(count * 0.005);
    expect(different.filter(({ ours, theirs }) => ours !== undefined && theirs !== undefined)).toEqual([]);
  } finally {
    await server.stop();
    rmSync(root, { recursive: true });
  }
});
