// Runs the generators with hostile sources.
import { relative } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { renderText } from "../../diagnostics/index.ts";
import { generate } from "../generate.ts";
import { project } from "./project.ts";
import { requestOf } from "./request.ts";

const head = '// +groupName=example.com\nimport type { Int32, KubernetesObject } from "@kubewright/runtime/api";\n';
const kind = "export interface Thing extends KubernetesObject { spec?: Spec }\n";

/** Returns the source of an API with one kind whose spec is `Spec`. The text must declare `Spec`. */
export function api(text: string): string {
  return `${head}${text}\n${kind}`;
}

/** Joins the texts of `count` numbers. */
export function many(count: number, text: (index: number) => string, between = "\n"): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(between);
}

export interface HostileRun {
  readonly ids: readonly Diagnostic["id"][];
  readonly diagnostics: readonly Diagnostic[];
  /** The text of all files that would be written. */
  readonly written: string;
  /** The diagnostics as the user reads them. */
  readonly shown: string;
  /** CPU time in seconds, which other processes affect little. */
  readonly seconds: number;
}

/** Generates the CRDs and the role of the packages in a directory. */
export async function generateIn(cwd: string): Promise<HostileRun> {
  const request = requestOf(cwd, ["crd", "rbac:roleName=role", "paths=./...", "output:dir=out"]);
  const start = process.cpuUsage();
  const { diagnostics, plan } = await generate(request);
  const shown = renderText(diagnostics, { cwd, readSource: () => undefined });
  const { user, system } = process.cpuUsage(start);
  const written = plan.writes.map(({ after }) => after ?? "").join("");
  return { ids: diagnostics.map(({ id }) => id), diagnostics, written, shown, seconds: (user + system) / 1e6 };
}

/** Generates the CRDs and the role of an API in one file. */
export function generateApi(text: string): Promise<HostileRun> {
  return generateIn(project({ "api/v1/types.ts": api(text) }));
}

/** Returns the position of a diagnostic as `path:line:column`. */
export function placeOf({ file, line, column }: Diagnostic, cwd: string): string {
  return `${relative(cwd, file)}:${line}:${column}`;
}
