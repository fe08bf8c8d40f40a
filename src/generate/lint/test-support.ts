import { linesAbove, runCrds, specOf } from "../test-support/project.ts";

/**
 * Lints a kind whose spec is `Spec` and returns `line:column id` per finding; lines are counted from the first line of
 * `text`.
 */
export async function lintSpec(text: string): Promise<string[]> {
  const { run } = await specOf(text, { lint: true });
  // A type that is used twice is found twice; in a real run, the collector drops the duplicate.
  return [...new Set(run.places)].map((place) => {
    const [, line, column, id] = /:(\d+):(\d+) \w+ (\S+)$/.exec(place) ?? [];
    return `${Number(line) - linesAbove + 1}:${column} ${id}`;
  });
}

/** Returns the messages and hints of the findings in `Spec`. */
export async function messagesOf(text: string): Promise<string[]> {
  const { run } = await specOf(text, { lint: true });
  return run.diagnostics.map(({ message, hint }) => `${message} (${hint})`);
}

/** Lints a field `value` of a type with some markers and returns the ids of the findings. */
export async function lintField(type: string, ...markers: string[]): Promise<string[]> {
  const lines = markers.map((marker) => `  // +${marker}\n`).join("");
  const { run } = await specOf(`export interface Spec {\n${lines}  value?: ${type};\n}`, { lint: true });
  return run.diagnostics.map(({ id }) => id);
}

const head = `// +groupName=example.com
import type { Int32, IntOrString, KubernetesObject } from "@kubewright/runtime/api";

`;

/** Returns a file with a kind; its markers begin at line 4. */
export const kindText = (markers: readonly string[], body = "", group = "example.com"): string =>
  `${head.replace("example.com", group)}${markers.map((marker) => `// +${marker}\n`).join("")}export interface Thing extends KubernetesObject {
  spec?: { phase?: string; count?: Int32; on?: boolean; list?: string[]; map?: Record<string, Int32>; port?: IntOrString; labels?: { [key: string]: string } };
  status?: { replicas?: Int32; selector?: string; when?: string; conditions?: { type: string; status: string }[]; free?: {} };
${body}}
`;

/** Lints the kind of {@link kindText} and returns `line:column id` per finding. */
export async function lintKind(...markers: string[]): Promise<string[]> {
  const { places } = await runCrds({ "api/v1/thing.ts": kindText(markers) }, { lint: true });
  return places.map((place) => place.replace(/^[^:]*:(\d+:\d+) \w+ /, "$1 "));
}

/** Returns the messages and hints of the findings for the kind of {@link kindText}. */
export async function kindMessages(...markers: string[]): Promise<string[]> {
  const { diagnostics } = await runCrds({ "api/v1/thing.ts": kindText(markers) }, { lint: true });
  return diagnostics.map(({ message, hint }) => `${message} (${hint})`);
}
