// The built command line must have the same output as its sources for all characters. The bundler rewrites chunks, and
// no other test would notice a changed string, pattern or name.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, it, onTestFinished } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { loadSources, sourcesEnv } from "../../scripts/test-support/from-sources.ts";
import { attemptScaffold, checkout } from "../../scripts/test-support/scaffold.ts";

const rows = <Row>(file: string): Row[] =>
  readFileSync(join(checkout, "testdata/conformance", file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

const head = '// +groupName=example.com\nimport type { KubernetesObject } from "@kubewright/runtime/api";\n\n';
const crd = "config/crd/example.com_things.yaml";

/** Returns the files and messages of the built command line for a file of types. Those of the sources must be the same. */
async function built(text: string, ...options: string[]): Promise<{ yaml: string; messages: string }> {
  const root = mkdtempSync(join(tmpdir(), "kubewright-built-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "api/v1"), { recursive: true });
  writeFileSync(join(root, "api/v1/thing.ts"), head + text);
  const call = ["generate", "crd", "paths=./...", "--keep-going", ...options];
  const ofSources = await run(process.execPath, [...sources, ...call], { cwd: root, env: sourcesEnv() });
  // A kind with errors has no CRD.
  const read = () => (existsSync(join(root, crd)) ? readFileSync(join(root, crd), "utf8") : "");
  const expected = read();
  rmSync(join(root, "config"), { recursive: true, force: true });
  const ofBundle = await attemptScaffold(root, ...call);
  const yaml = read();
  expect(yaml).toBe(expected);
  expect(ofBundle.stderr).toBe(ofSources.stderr);
  expect(ofBundle.code).toBe(ofSources.code);
  return { yaml, messages: ofBundle.stderr };
}

const sources = [...loadSources, join(checkout, "src/cli/main.ts")];
const thing = (fields: string) => `export interface Thing extends KubernetesObject {\n  spec: {\n${fields}\n  };\n}\n`;

/** The properties of `spec` in a CRD. */
function properties(yaml: string): Record<string, { description?: string }> {
  const { spec } = load(yaml) as {
    spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: object } } } } }[] };
  };
  return { ...spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties };
}

it("descriptions of fields equal controller-gen's", async () => {
  const described = rows<{ comment: string; maxDescLen?: number; description: string }>("descriptions.jsonl").filter(
    ({ comment, maxDescLen }) => maxDescLen === undefined && comment.split("\n").every((line) => line.startsWith("//")),
  );
  expect(described.length).toBeGreaterThan(100);
  const fields = described.map(({ comment }, index) => `${comment}\nf${index}: string;\n`);
  const { yaml } = await built(thing(fields.join("\n")), "--unknown-markers", "ignore");
  const schema = properties(yaml);
  expect(described.map((_, index) => schema[`f${index}`]?.description ?? "")).toEqual(
    described.map(({ description }) => description),
  );
});

const signs = [
  "Größe äöüß",
  "日本語の説明。終わり",
  "🚀 and 👨‍👩‍👧",
  "a\u2028b",
  "a\ufeffb",
  "a\u0085b",
  "a\ufffdb",
  "a\u00a0b",
  "“quoted” – dash…",
  "𝔘𝔫𝔦",
  "\u{10fffd}",
  `${"äöü ".repeat(40)}end`,
  `${"🚀 x ".repeat(30)}end`,
];

it("non-ASCII characters are written and printed as by the sources", async () => {
  const fieldsWith = (wrong: (text: string, index: number) => string) =>
    signs.map((sign, index) => {
      const text = JSON.stringify(sign).replace("\u2028", "\\u2028");
      const plain = sign.replace("\u2028", " ");
      return `/** ${plain} */
// +kubebuilder:default=${text}
// +kubebuilder:validation:Enum=${text};b
// +kubebuilder:validation:Pattern=${text}
${wrong(text, index)}"f${index}": string;
`;
    });
  const { yaml } = await built(thing(fieldsWith(() => "").join("\n")));
  const schema = properties(yaml);
  for (const [index, sign] of signs.entries()) {
    // Parsers of YAML 1.1 interpret these as line breaks, unless they are escaped.
    if (/[\u2028\u0085]/.test(sign)) continue;
    expect(schema[`f${index}`]).toMatchObject({ default: sign, enum: [sign, "b"], pattern: sign });
  }
  const wrong = (text: string, index: number) =>
    `// +kubebuilder:validation:XValidation:rule="self == '",message=${text}\n// +kubebuilder:ü${index}\n`;
  const { messages } = await built(thing(fieldsWith(wrong).join("\n")));
  expect(messages).toContain('unknown marker "+kubebuilder:ü0"');
});
