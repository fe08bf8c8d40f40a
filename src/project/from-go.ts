import { isMap, isSeq, parseDocument } from "yaml";
import { inputProblem, type Problem, stateProblem } from "./problem.ts";
import { format, LAYOUT, type Project, readProject } from "./project-file.ts";
import { qualifiedGroup } from "./resource.ts";

/** Where the types of kinds from elsewhere are in npm. */
export interface ExternalModule {
  /** What is imported, such as `@kubernetes-models/cert-manager/cert-manager.io/v1`. */
  readonly path: string;
  /** The package to depend on, with a version or without. */
  readonly package: string;
}

const example = "cert-manager.io/v1=@kubernetes-models/cert-manager@6.0.0/cert-manager.io/v1";

/** Reads `<group>/<version>=<package>[@<version>][/<path>],…`; the keys of what it gives are groups with versions. */
export function externalModules(list: string): ReadonlyMap<string, ExternalModule> | Problem {
  const found = new Map<string, ExternalModule>();
  for (const entry of list.split(",")) {
    const [, api, name, version = "", path = ""] =
      /^([^/=]+\/[^/=]+)=((?:@[^/@=]+\/)?[^/@=]+)(@[^/@=]+)?(\/[^@=]+)?$/.exec(entry) ?? [];
    if (api === undefined || name === undefined) {
      return inputProblem(
        "bad-external-api",
        `--external-apis ${JSON.stringify(entry)} is not <group>/<version>=<npm package>[@<version>][/<path>], such as ${example}`,
      );
    }
    found.set(api, { path: `${name}${path}`, package: `${name}${version}` });
  }
  return found;
}

/**
 * The project that a PROJECT file of kubebuilder's Go layout describes, in the layout of this scaffolder. All else stays: comments, and
 * what other tools have recorded.
 *
 * @param modules where the types of kinds from elsewhere are: a Go module has none for TypeScript
 */
export function projectFromGo(text: string, modules: ReadonlyMap<string, ExternalModule>): Project | Problem {
  const read = readProject(text);
  if ("message" in read && read.id !== "foreign-project") return read;
  const document = parseDocument(text);
  const layout = [document.toJS().layout].flat().map(String);
  if (!layout.some((key) => key.startsWith("go.kubebuilder.io/"))) {
    return stateProblem(
      "no-go-project",
      `the project's layout is ${layout.join(", ")}: kubebuilder's projects in Go are what can be moved, such as go.kubebuilder.io/v4`,
    );
  }
  document.set("layout", [LAYOUT]);
  const missing = new Set<string>();
  const resources = document.get("resources");
  for (const entry of isSeq(resources) ? resources.items : []) {
    if (!isMap(entry) || entry.get("external") !== true) continue;
    const { group = "", domain = "", version = "" } = entry.toJSON();
    const api = `${qualifiedGroup(String(group), String(domain))}/${version}`;
    const module = modules.get(api);
    if (module === undefined) missing.add(api);
    entry.set("module", module?.package);
    entry.set("path", module?.path);
  }
  if (missing.size > 0) {
    const list = [...missing].join(", ");
    return stateProblem(
      "no-external-types",
      `PROJECT has kinds from elsewhere (${list}), and their Go module has no types for TypeScript: say which npm package has them`,
      `--external-apis ${[...missing].map((api) => `${api}=<npm package>[@<version>][/<path>]`).join(",")}, such as ${example}`,
    );
  }
  return readProject(document.toString(format));
}
