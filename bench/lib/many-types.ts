// Generates the same API with many types in TypeScript and in Go: kinds with a spec of nested types, with five fields each.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/run.mjs";

const perKind = 40;

/** Writes a project and a Go module with `count` types each to `directory`, and returns their paths. */
export function manyTypes(directory: string, count: number): { project: string; module: string } {
  const project = join(directory, "ts");
  const module = join(directory, "go");
  mkdirSync(join(project, "api/v1"), { recursive: true });
  mkdirSync(join(project, "node_modules"), { recursive: true });
  mkdirSync(join(module, "api/v1"), { recursive: true });
  symlinkSync(join(root, "node_modules/@kubewright"), join(project, "node_modules/@kubewright"), "junction");
  for (const file of ["go.mod", "go.sum"]) cpSync(join(root, "bench/testdata/game-go", file), join(module, file));
  const kinds = Math.max(1, Math.ceil(count / perKind));
  let left = count;
  for (let kind = 0; kind < kinds; kind++, left -= perKind) {
    const nested = Math.max(0, Math.min(perKind, left) - 2);
    writeFileSync(join(project, `api/v1/kind${kind}-types.ts`), typescript(kind, nested));
    writeFileSync(join(module, `api/v1/kind${kind}_types.go`), go(kind, nested));
  }
  writeFileSync(join(module, "api/v1/doc.go"), "// +groupName=bench.example.com\npackage v1\n");
  return { project, module };
}

const numbers = (nested: number): number[] => Array.from({ length: nested }, (_, index) => index);

function typescript(kind: number, nested: number): string {
  const parts = numbers(nested).map(
    (n) => `/** Part ${n} of kind ${kind}, with a few fields. */
export interface K${kind}Part${n} {
  /** Name of the part. */
  // +kubebuilder:validation:MinLength=1
  name: string;
  // +kubebuilder:default:=1
  size?: Int32;
  mode?: "Fast" | "Slow";
  labels?: Record<string, string>;
  items?: string[];
}
`,
  );
  const fields = numbers(nested).map((n) => `  /** The part ${n}. */\n  part${n}?: K${kind}Part${n};\n`);
  return `// +groupName=bench.example.com
import type { Int32, KubernetesObject } from "@kubewright/runtime/api";

${parts.join("\n")}
/** The spec. */
export interface K${kind}Spec {
${fields.join("")}}

/** Kind ${kind}. */
export interface K${kind} extends KubernetesObject {
  spec?: K${kind}Spec;
}
`;
}

function go(kind: number, nested: number): string {
  const parts = numbers(nested).map(
    (n) => `// Part ${n} of kind ${kind}, with a few fields.
type K${kind}Part${n} struct {
	// Name of the part.
	// +kubebuilder:validation:MinLength=1
	Name string \`json:"name"\`
	// +kubebuilder:default:=1
	Size int32 \`json:"size,omitempty"\`
	// +kubebuilder:validation:Enum=Fast;Slow
	Mode string \`json:"mode,omitempty"\`
	Labels map[string]string \`json:"labels,omitempty"\`
	Items []string \`json:"items,omitempty"\`
}
`,
  );
  const fields = numbers(nested).map(
    (n) => `	// The part ${n}.\n	Part${n} *K${kind}Part${n} \`json:"part${n},omitempty"\`\n`,
  );
  return `package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

${parts.join("\n")}
// The spec.
type K${kind}Spec struct {
${fields.join("")}}

// +kubebuilder:object:root=true

// Kind ${kind}.
type K${kind} struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`
	Spec K${kind}Spec \`json:"spec,omitempty"\`
}
`;
}
