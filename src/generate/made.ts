import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { GeneratedFile } from "./output/file.ts";

/** What the generators made of the sources, before anything is compared with what is there. Plain data. */
export interface Made {
  readonly files: readonly GeneratedFile[];
  /** Already weighed. */
  readonly diagnostics: readonly Diagnostic[];
}
