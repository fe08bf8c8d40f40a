import type { MarkerHelp } from "../../../generate/help/index.ts";
import type { Candidate } from "../../command.ts";

/** The options of `scaffold generate` as far as they can be typed ahead: `crd`, `crd:maxDescLen=`, `paths=` … */
export async function optionWords(): Promise<readonly Candidate[]> {
  const { optionHelp } = await import("../../../generate/help/index.ts");
  return optionHelp().flatMap(({ markers }) => markers.flatMap(wordsOf));
}

function wordsOf({ name, summary, fields = [] }: MarkerHelp): Candidate[] {
  if (fields.some((field) => field.name === "")) return [{ value: `${name}=`, description: summary }];
  const more = fields.map((field) => ({ value: `${name}:${field.name}=`, description: field.summary }));
  // What can't do without an argument is nothing by itself.
  const alone = fields.every(({ optional }) => optional) ? [{ value: name, description: summary }] : [];
  return [...alone, ...more];
}
