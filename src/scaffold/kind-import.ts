import { kindModule } from "../project/paths.ts";
import type { Project } from "../project/project-file.ts";
import type { Resource } from "../project/resource.ts";
import type { WantedImport } from "./code/imports.ts";

/** How a file of the project gets at a kind. */
export interface KindImport {
  readonly imports: readonly WantedImport[];
  /** A statement that makes the kind's value where the module of its types has none; empty else. */
  readonly declaration: string;
  /** The name of the value that clients and builders take. */
  readonly value: string;
  /** The name of the objects' type. */
  readonly type: string;
}

/**
 * The project's own kinds and those of Kubernetes are both type and value. Of a package from elsewhere only the type is sure
 * to be there, in whatever form: the value is made on the spot, and the type is one that the runtime's functions take.
 */
export function kindImport(resource: Resource, project: Project, importer: string): KindImport {
  const module = kindModule(resource, project, importer);
  const { kind } = resource;
  if (resource.origin !== "external") {
    return { imports: [{ module, names: [kind] }], declaration: "", value: kind, type: kind };
  }
  const type = `${kind}Object`;
  const plural = resource.irregularPlural ? `, { plural: "${resource.plural}" }` : "";
  return {
    imports: [
      { module, names: [`type ${kind}`] },
      { module: "@kubewright/runtime", names: ["groupVersion", "type KubernetesObject"] },
    ],
    declaration: [
      `type ${type} = ${kind} & KubernetesObject;`,
      `const ${kind}Kind = groupVersion("${resource.qualifiedGroup}", "${resource.version}").kind<${type}>("${kind}"${plural});`,
    ].join("\n"),
    value: `${kind}Kind`,
    type,
  };
}
