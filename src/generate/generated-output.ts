import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { GeneratedFile } from "./output/file.ts";

/** The generated files, before they are compared with those on disk. Plain data. */
export interface GeneratedOutput {
  readonly files: readonly GeneratedFile[];
  /** With the levels of the request applied. */
  readonly diagnostics: readonly Diagnostic[];
}
