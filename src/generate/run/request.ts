import type { DiagnosticPolicy, Level } from "../../diagnostics/collector.ts";
import { unknownMarkerLevels } from "../markers/unknown-markers.ts";
import type { GeneratorConfig } from "../options/index.ts";

/** A request to run generators. */
export interface GenerateRequest {
  /** Absolute path that all others are relative to. */
  readonly cwd: string;
  readonly config: GeneratorConfig;
  /** How to treat unknown and misplaced markers. */
  readonly unknownMarkers: "error" | "warn" | "ignore";
  /** Levels of individual diagnostics, by id. The flags take precedence. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** The kinds that are scaffolded for kstatus, such as `myapp.example.com/v1/Game`. */
  readonly kstatus?: readonly string[];
  /** Treat warnings as errors. */
  readonly strict: boolean;
  /** Write valid output in spite of errors. */
  readonly keepGoing?: boolean;
  /** Remove CRD files whose kinds no longer exist. */
  readonly prune: boolean;
  /** The value of the version annotation of CRDs. */
  readonly toolVersion: string;
}

/** Returns the levels of diagnostics for a request. */
export function policyOf({ levels, unknownMarkers, strict }: GenerateRequest): DiagnosticPolicy {
  return { levels: { ...levels, ...unknownMarkerLevels(unknownMarkers) }, strict };
}
