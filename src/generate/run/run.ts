import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Packages } from "../packages/collect.ts";
import type { ApiPackage } from "../packages/nodes.ts";
import type { Files } from "../source/files.ts";
import type { Sources } from "../source/sources.ts";
import type { GenerateRequest } from "./request.ts";

/** The shared state of the generators in a run. */
export interface Run {
  readonly request: GenerateRequest;
  /** The packages in `paths=`. */
  readonly roots: readonly ApiPackage[];
  readonly packages: Packages;
  readonly sources: Sources;
  /** Reads all other files of the user, such as headers. */
  readonly files: Files;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Creates an error without a position in a file. */
export function general(id: Diagnostic["id"], message: string, hint?: string): Diagnostic {
  return { id, severity: "error", message, file: "", line: 0, column: 0, hint };
}
