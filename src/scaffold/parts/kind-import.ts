import { kindModule } from "../../project/paths.ts";
import type { Project } from "../../project/project-file.ts";
import { hasTypes, type Resource } from "../../project/resource.ts";
import type { WantedImport } from "../code/print.ts";

/** The declarations with which a project file accesses a kind. */
export interface KindImport {
  readonly imports: readonly WantedImport[];
  /** A statement that declares the kind's value if its module has none; otherwise empty. */
  readonly declaration: string;
  /** The name of the value to pass to clients and builders. */
  readonly value: string;
  /** The name of the objects' type. */
  readonly type: string;
}

/**
 * Returns the declarations for a kind. Kinds with types in the project and built-in kinds are both type and value. Other packages may
 * export only a type, in any form: the value is declared in the file, and the type is one that the runtime's functions
 * accept.
 */
export function kindImport(resource: Resource, project: Project): KindImport {
  const module = kindModule(resource, project);
  const { kind, typeName } = resource;
  if (resource.origin === "core" || hasTypes(resource)) {
    return { imports: [{ module, names: [typeName] }], declaration: "", value: typeName, type: typeName };
  }
  const type = `${typeName}Object`;
  const imported = kind === typeName ? kind : `${kind} as ${typeName}`;
  const plural = resource.irregularPlural ? `, { plural: "${resource.plural}" }` : "";
  return {
    imports: [
      { module, names: [`type ${imported}`] },
      { module: "@kubewright/runtime", names: ["groupVersion", "type KubernetesObject"] },
    ],
    declaration: [
      `type ${type} = ${typeName} & KubernetesObject;`,
      `const ${typeName}Kind = groupVersion("${resource.qualifiedGroup}", "${resource.version}").kind<${type}>("${kind}"${plural});`,
    ].join("\n"),
    value: `${typeName}Kind`,
    type,
  };
}
