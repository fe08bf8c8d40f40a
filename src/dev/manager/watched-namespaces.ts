import type { Project } from "../../project/project-file.ts";
import { readDocuments, sampleDirectory } from "../client/manifests.ts";

/** The variable that `watchNamespacesFromEnv` of the runtime reads. */
const variable = "WATCH_NAMESPACE";

/**
 * Returns the environment for the managers of a session. Without `WATCH_NAMESPACE`, the manager of a namespaced project wouldn't
 * start: it watches the namespace `default`, to which samples are applied, and those that samples name.
 *
 * @param root - the directory of the project
 * @param env - the environment of the session
 */
export function withWatchedNamespaces(
  root: string,
  { namespaced }: Pick<Project, "namespaced">,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  if (!namespaced || env[variable]) return env;
  const { documents } = readDocuments(root, sampleDirectory);
  const named = documents.flatMap(({ metadata }) => metadata?.namespace ?? []);
  return { ...env, [variable]: [...new Set(["default", ...named])].join(",") };
}
