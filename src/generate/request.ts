import type { Level } from "../diagnostics/collector.ts";
import type { GeneratorConfig } from "./options/index.ts";
import type { ReaderChoice } from "./source/reader.ts";

/** What a run of the generators is asked for. */
export interface GenerateRequest {
  /** Absolute path that all others are relative to. */
  readonly cwd: string;
  readonly config: GeneratorConfig;
  /** What becomes of unknown and misplaced markers. */
  readonly unknownMarkers: "error" | "warn" | "ignore";
  /** What single diagnostics are turned to, by id. The flags win. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** Warnings are errors. */
  readonly strict: boolean;
  /** Writes what could be made in spite of errors. */
  readonly keepGoing?: boolean;
  /** Removes CRD files that no kind makes any more. */
  readonly prune: boolean;
  /** How TypeScript is read; `auto` if absent. */
  readonly reader?: ReaderChoice;
  /** Value of the version annotation of CRDs. */
  readonly toolVersion: string;
}
