import type { Tree } from "../files/tree.ts";
import { mapOf } from "../text/maps.ts";
import type { GoMarkers } from "./go-markers.ts";
import type { GoFile } from "./left-behind.ts";
import type { Generations } from "./makefile.ts";
import { readableValues } from "./readable-values.ts";
import type { BoundRole } from "./role-bindings.ts";

/** The manifests that controller-gen generates from markers, by their paths in the new project. */
const generated = {
  "config/rbac/role.yaml": "rbac",
  "config/webhook/manifests.yaml": "webhook",
} as const;

/** Manifests of a Go project that are written by hand, because its code has no markers for them. */
export interface Handwritten {
  /** The texts by their paths in the new project. */
  readonly contents: ReadonlyMap<string, string>;
  /** The paths in the Go project of those that are copied. */
  readonly copied: readonly string[];
  readonly notes: readonly string[];
  /** The roles that are written by hand. */
  readonly roles: readonly BoundRole[];
}

/** Finds the manifests that the new project can't generate, because controller-gen reads no markers for them in the Go code. */
export function handwrittenManifests(
  draft: Tree,
  files: readonly GoFile[],
  sources: readonly GoMarkers[],
  generations: Generations,
): Handwritten {
  const contents = new Map<string, string>();
  const copied: string[] = [];
  const notes: string[] = [];
  // Of a project without Go code, only PROJECT is known.
  if (sources.length === 0) return { contents, copied, notes, roles: [] };
  for (const [path, generator] of Object.entries(generated)) {
    const hasMarkers = sources.some(({ roles, webhooks }) => (generator === "rbac" ? roles : webhooks).length > 0);
    const directory = path.slice(0, path.lastIndexOf("/"));
    if (hasMarkers || draft.read(`${directory}/kustomization.yaml`) === undefined) continue;
    const name = path.slice(directory.length);
    const places = [path, `${generations[generator]?.output ?? ""}${name}`];
    const file = files.find((file) => places.includes(file.path));
    if (file !== undefined) {
      contents.set(path, file.text());
      copied.push(file.path);
      notes.push(`${path} is copied from ${file.path}, because controller-gen reads no markers for it in the Go code`);
    } else if (generator === "rbac") {
      const others = files.filter(
        (goFile) => /^config\/rbac\/[^/]+\.ya?ml$/.test(goFile.path) && isOfManager(draft, goFile),
      );
      const where = others.length === 0 ? "" : ` in ${others.map((other) => other.path).join(", ")}`;
      notes.push(
        `controller-gen reads no role markers in the Go code, so the controllers have scaffolded ones for ${path}: add markers for the permissions of the Go operator${where}`,
      );
    }
  }
  return { contents, copied, notes, roles: rolesIn(contents.get("config/rbac/role.yaml") ?? "") };
}

/** Whether a file contains a role that isn't among the scaffolded ones. */
function isOfManager(draft: Tree, { path, text }: GoFile): boolean {
  return draft.read(path) === undefined && rolesIn(text()).length > 0;
}

function rolesIn(text: string): BoundRole[] {
  return readableValues(text).flatMap((value) => {
    const { kind, metadata } = mapOf(value);
    const { name, namespace } = mapOf(metadata);
    if ((kind !== "Role" && kind !== "ClusterRole") || typeof name !== "string" || !/^[\w.:-]+$/.test(name)) return [];
    return [{ kind, name, ...(typeof namespace === "string" && kind === "Role" ? { namespace } : {}) }];
  });
}
