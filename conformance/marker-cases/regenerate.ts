// Records which marker controller-gen applies to which type, in testdata/conformance/applicability.jsonl.
//   npx tsx conformance/marker-cases/regenerate.ts <controller-gen v0.23.0>
// Needs Go and its module proxy.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markers, types } from "./cases.ts";

const kubernetes = "v0.37.2";
const head = `// +groupName=example.com
// +versionName=v1
package v1

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Obj struct {
	A string \`json:"a,omitempty"\`
	B string \`json:"b,omitempty"\`
}
type NamedString string
type NamedInt int32
type NamedList []string
type NamedMap map[string]string
`;

const targets = ["field", "type"] as const;

/** A marker on a type, with the first and last line of its declaration. */
interface Case {
  readonly target: (typeof targets)[number];
  readonly marker: string;
  readonly type: string;
  readonly first: number;
  readonly last: number;
}

/** Returns one declaration per case, and a kind that contains them all. */
function source(): { text: string; cases: Case[] } {
  const lines = head.split("\n");
  const cases: Case[] = [];
  const fields: string[] = [];
  for (const target of targets) {
    for (const marker of markers[target]) {
      for (const type of Object.keys(types)) {
        const name = `T${cases.length}`;
        const first = lines.length + 1;
        if (target === "field")
          lines.push(`type ${name} struct {`, `\t// +${marker}`, `\tF ${type} \`json:"f,omitempty"\``, "}", "");
        else if (type === "Obj")
          lines.push(
            `// +${marker}`,
            `type ${name} struct {`,
            '\tA string `json:"a,omitempty"`',
            '\tB string `json:"b,omitempty"`',
            "}",
            "",
          );
        else lines.push(`// +${marker}`, `type ${name} ${type}`, "");
        cases.push({ target, marker, type, first, last: lines.length });
        fields.push(`\t${name} ${name} \`json:"${name.toLowerCase()},omitempty"\``);
      }
    }
  }
  lines.push(
    "type Thing struct {",
    '\tmetav1.TypeMeta `json:",inline"`',
    '\tmetav1.ObjectMeta `json:"metadata,omitempty"`',
    ...fields,
    "}",
    "",
  );
  return { text: lines.join("\n"), cases };
}

const [controllerGen] = process.argv.slice(2);
if (controllerGen === undefined) throw new Error("usage: regenerate.ts /path/to/controller-gen");
const directory = mkdtempSync(join(tmpdir(), "marker-cases-"));
try {
  const { text, cases } = source();
  mkdirSync(join(directory, "v1"));
  writeFileSync(join(directory, "v1/types.go"), text);
  const modules = ["api", "apiextensions-apiserver", "apimachinery"].map((name) => `\tk8s.io/${name} ${kubernetes}`);
  writeFileSync(
    join(directory, "go.mod"),
    `module example.com/cases\n\ngo 1.26\n\nrequire (\n${modules.join("\n")}\n)\n`,
  );
  const env = { ...process.env, GOFLAGS: "-mod=mod" };
  execFileSync("go", ["mod", "tidy"], { cwd: directory, env, stdio: "pipe" });
  const end = spawnSync(controllerGen, ["crd", "paths=./v1", "output:none"], {
    cwd: directory,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const refused = new Set<Case>();
  for (const [, line, message] of end.stderr.matchAll(/types\.go:(\d+):\d+: (.*)$/gm)) {
    const declared = cases.find(({ first, last }) => Number(line) >= first && Number(line) <= last);
    if (!declared) throw new Error(`no case is at line ${line}: ${message}`);
    refused.add(declared);
  }
  const rows = [`${JSON.stringify({ types: Object.values(types) })}\n`];
  for (const target of targets) {
    for (const marker of markers[target]) {
      const accepted = cases.filter((own) => own.target === target && own.marker === marker && !refused.has(own));
      rows.push(`${JSON.stringify({ target, marker, accepted: accepted.map(({ type }) => types[type]) })}\n`);
    }
  }
  writeFileSync(join(import.meta.dirname, "../../testdata/conformance/applicability.jsonl"), rows.join(""));
  process.stdout.write(`${cases.length} cases, ${refused.size} of them refused\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
