import type { MarkerHelp } from "../../../generate/help/index.ts";
import type { Candidate } from "../../framework/command.ts";

/** Returns the completions for options of `scaffold generate`: `crd`, `crd:maxDescLen=`, `paths=` … */
export async function optionWords(): Promise<readonly Candidate[]> {
  const { optionHelp } = await import("../../../generate/help/index.ts");
  return optionHelp().flatMap(({ markers }) => markers.flatMap(wordsOf));
}

/** The arguments whose values are paths. */
const paths: readonly string[] = ["paths", "dir", "config", "code", "headerFile", "manifests"];

function wordsOf({ name, summary, fields = [] }: MarkerHelp): Candidate[] {
  if (fields.some((field) => field.name === "")) return [wordOf(name, name.split(":").at(-1) ?? "", summary)];
  const more = fields.map((field) => wordOf(`${name}:${field.name}`, field.name, field.summary));
  // A generator with a required argument isn't valid alone.
  const alone = fields.every(({ optional }) => optional) ? [{ value: name, description: summary }] : [];
  return [...alone, ...more];
}

function wordOf(words: string, argument: string, description: string): Candidate {
  return { value: `${words}=`, description, ...(paths.includes(argument) ? { path: true } : {}) };
}
