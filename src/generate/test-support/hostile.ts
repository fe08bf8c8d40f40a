// Runs the generators over sources that somebody wrote to stop them.
import { relative } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { renderText } from "../../diagnostics/index.ts";
import { generate } from "../generate.ts";
import type { ReaderChoice } from "../source/reader.ts";
import { project } from "./project.ts";
import { requestOf } from "./request.ts";

export const readers: readonly ReaderChoice[] = ["auto", "ts-morph"];

const head = '// +groupName=example.com\nimport type { Int32, KubernetesObject } from "@kubewright/runtime/api";\n';
const kind = "export interface Thing extends KubernetesObject { spec?: Spec }\n";

/** An API of one kind whose spec is `Spec`, which the text has to declare. */
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
  /** What the user reads. */
  readonly shown: string;
  /** Seconds of CPU, which other work on the machine changes little. */
  readonly seconds: number;
}

/** Generates CRDs and a role of the packages in a directory. */
export async function generateIn(cwd: string, reader: ReaderChoice = "auto"): Promise<HostileRun> {
  const request = requestOf(cwd, ["crd", "rbac:roleName=role", "paths=./...", "output:dir=out"], { reader });
  const start = process.cpuUsage();
  const { diagnostics, plan } = await generate(request);
  const shown = renderText(diagnostics, { cwd, readSource: () => undefined });
  const { user, system } = process.cpuUsage(start);
  const written = plan.writes.map(({ after }) => after ?? "").join("");
  return { ids: diagnostics.map(({ id }) => id), diagnostics, written, shown, seconds: (user + system) / 1e6 };
}

/** The same for an API in one file. */
export function generateApi(text: string, reader: ReaderChoice = "auto"): Promise<HostileRun> {
  return generateIn(project({ "api/v1/types.ts": api(text) }), reader);
}

/** A place as tests compare it. */
export function placeOf({ file, line, column }: Diagnostic, cwd: string): string {
  return `${relative(cwd, file)}:${line}:${column}`;
}
