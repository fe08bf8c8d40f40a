import type { KubernetesObject } from "../../api/index.ts";
import type { ResolvedVersion } from "../old-versions/resolve-versions.ts";
import type { Finding } from "../report/finding.ts";
import { ofUpgrade } from "../report/verdict.ts";
import { applyManifests } from "../upgrade/manifests.ts";
import { newName } from "../upgrade/version.ts";

/** The objects that a kustomization builds, or why it can't be built. Without objects, the directory has none. */
export interface BuiltManifests {
  readonly objects?: readonly KubernetesObject[];
  readonly error?: string;
}

/** The manifests that a server rejects over those of old versions. */
export interface ManifestFindings {
  readonly findings: Finding[];
  readonly notes: string[];
}

/** The place of the manifests in a project, and that of findings about them. */
const file = "config/default";

/**
 * Applies the manifests of the project over those of each old version that has some.
 *
 * @param versions - the old versions
 * @param root - the directory of the project
 * @param build - builds the manifests in a directory
 * @param replay - the command that repeats a finding
 */
export async function manifestFindings(
  versions: readonly ResolvedVersion[],
  root: string,
  build: (directory: string) => Promise<BuiltManifests>,
  replay: string,
): Promise<ManifestFindings> {
  const projects = versions.filter(({ kind }) => kind !== "bundle");
  const findings: Finding[] = [];
  const notes: string[] = [];
  const built = async (name: string, directory: string): Promise<readonly KubernetesObject[] | undefined> => {
    const { objects, error } = await build(directory);
    if (error !== undefined) notes.push(`${file} of ${name} isn't compared, because it can't be built: ${error}`);
    return objects;
  };
  const present = projects.length === 0 ? undefined : await built(newName, root);
  for (const { name, directory } of present ? projects : []) {
    const old = await built(name, directory);
    if (!old) continue;
    const after = { name: newName, objects: present ?? [] };
    const { problem, timeline } = await applyManifests({ name, objects: old }, after);
    if (problem === undefined) continue;
    findings.push({
      ...{ file, test: "the manifests", invariant: ofUpgrade.manifests, message: problem, seed: 0, faults: [] },
      ...{ replay, position: timeline.length - 1, timeline: [...timeline] },
    });
  }
  return { findings, notes };
}
