import type { Project } from "../project/project-file.ts";
import type { Resource } from "../project/resource.ts";

/** The CustomResourceDefinition that types are made from: its name, the text of the types file, and the sample below its metadata. */
export interface Definition {
  readonly name: string;
  readonly types: string;
  readonly sample: string;
}

/** An API, a controller or both, in a project; everything has been checked against the rules. */
export interface ApiParts {
  readonly project: Project;
  readonly resource: Resource;
  readonly api: boolean;
  readonly controller: boolean;
  /** The controllers' names; the kind's own where nothing is said. */
  readonly controllerNames?: readonly string[];
  readonly definition?: Definition;
  /** The text of main.ts whose names are kept, where a project is scaffolded anew. */
  readonly mainBefore?: string;
  /** The comment that a new file begins with. */
  readonly header: string;
}
