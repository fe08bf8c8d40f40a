import type { Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import type { CoreKinds } from "../../project/target.ts";

/**
 * The CustomResourceDefinition from which types are generated: its name, the types file, and the sample's name and
 * fields below `metadata`.
 */
export interface Definition {
  readonly name: string;
  readonly types: string;
  readonly sample: string;
  /** The name of the sample, if a rule of the CRD determines it. */
  readonly sampleName?: string;
}

/** An API, a controller or both, in a project. All values are validated. */
export interface ApiParts {
  readonly project: Project;
  readonly resource: Resource;
  readonly coreKinds: CoreKinds;
  readonly api: boolean;
  readonly controller: boolean;
  /** Whether the types and the controllers follow the rules of kstatus. */
  readonly kstatus?: boolean;
  /** The names of the controllers with a set of children. */
  readonly children?: readonly string[];
  /** The names of the controllers; by default the kind's own name. */
  readonly controllerNames?: readonly string[];
  readonly definition?: Definition;
  /** The text of the kind's sample. By default, templates or the kind's newest version determine it. */
  readonly sample?: string | undefined;
  /** The text of a main.ts whose names are kept if a project is scaffolded again. */
  readonly mainBefore?: string;
  /** The comment at the beginning of a new file. */
  readonly header: string;
}
