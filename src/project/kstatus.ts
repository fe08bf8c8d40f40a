import { entryHasTypes, sameKind } from "./entries.ts";
import type { Problem } from "./problem.ts";
import type { Project } from "./project-file.ts";
import type { Resource } from "./resource.ts";

/** The parts that `create api` adds, as far as they decide about kstatus. */
interface Wanted {
  /** Whether types are created. */
  readonly api: boolean;
  /** Whether existing types are replaced. */
  readonly force: boolean;
  /** The value of `--kstatus`, if it is given. */
  readonly kstatus: boolean | undefined;
}

/**
 * Returns whether a kind is scaffolded for kstatus: a new kind by default, another version or controller of a kind as the kind
 * already is.
 *
 * @returns the choice, or a problem if the flag contradicts the kind
 */
export function kstatusChoice(
  project: Project,
  of: Resource,
  { api, force, kstatus }: Wanted,
): boolean | Pick<Problem, "message" | "hint"> {
  const versions = project.resources.filter(
    (entry) => entryHasTypes(entry) && sameKind(entry, of) && !(api && force && entry.version === of.version),
  );
  if (of.origin !== "own" || (versions.length === 0 && !api)) {
    if (kstatus !== true) return false;
    return {
      message: "--kstatus can't be combined with an external or built-in kind: its types belong to another project",
    };
  }
  const [existing] = versions;
  if (existing === undefined) return kstatus ?? true;
  const current = versions.some((entry) => entry.kstatus === true);
  if (kstatus === undefined || kstatus === current) return current;
  const state = current ? "with" : "without";
  return {
    message: `--kstatus=${kstatus} contradicts ${existing.version} of ${of.kind}, which was created ${state} it: all versions of a kind have the same status`,
    hint: `omit the flag, or pass --kstatus=${current}`,
  };
}
