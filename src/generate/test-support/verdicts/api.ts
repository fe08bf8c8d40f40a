import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { load } from "js-yaml";
import { generate } from "../../generate.ts";
import { requestOf } from "../request.ts";
import type { VerdictKind } from "./verdict-kind.ts";

export const group = "verdicts.kubewright.dev";

const head = `// +groupName=${group}

import type { Bytes, Duration, Float64, Int32, Int64, IntOrString, JSONValue, KubernetesObject, ObjectMeta, Quantity, RawExtension, Time } from "@kubewright/runtime/api";
import type { PodTemplateSpec, ResourceRequirements } from "@kubewright/runtime/api/core/v1";
import type { Condition, LabelSelector } from "@kubewright/runtime/api/meta/v1";

`;

/** Returns the source of a package with some kinds. */
export function kindsFile(kinds: readonly Pick<VerdictKind, "name" | "types">[]): string {
  return (
    head +
    kinds
      .map(({ name, types }) => `${types}\n\nexport interface ${name} extends KubernetesObject { spec: ${name}Spec }\n`)
      .join("\n")
  );
}

/** Returns the CRDs that the command would write for some files. Throws if the command would fail. */
export async function crdsOf(files: Readonly<Record<string, string>>): Promise<Record<string, unknown>[]> {
  const cwd = mkdtempSync(join(tmpdir(), "kubewright-verdicts-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const options = ["crd:allowDangerousTypes=true,generateEmbeddedObjectMeta=true", "paths=./...", "output:dir=out"];
    const { diagnostics, plan } = await generate(requestOf(cwd, options));
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
    if (errors.length > 0) throw new Error(errors.map(({ line, message }) => `${line}: ${message}`).join("\n"));
    return plan.writes.map(({ after }) => load(after ?? "") as Record<string, unknown>);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
