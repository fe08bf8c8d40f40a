import type { OutputRules } from "./output/rule.ts";

interface Header {
  /** "" for none; relative to the working directory. */
  readonly headerFile: string;
  readonly year: string;
}

/** The options of the generator `crd`. */
export interface CrdOptions extends Header {
  readonly allowDangerousTypes: boolean;
  readonly generateEmbeddedObjectMeta: boolean;
  readonly omitToolVersion: boolean;
  /** Bytes; 0 drops all descriptions, undefined keeps them. */
  readonly maxDescLen?: number;
  readonly crdVersions: readonly string[];
  /** Value of `spec.preserveUnknownFields`; undefined leaves it out. */
  readonly preserveUnknownFields?: boolean;
}

/** The options of the generator `rbac`. */
export interface RbacOptions extends Header {
  readonly roleName: string;
  readonly fileName: string;
}

/** What a run of the generators is asked for. */
export interface GenerateRequest {
  /** Absolute path that all others are relative to. */
  readonly cwd: string;
  /** Patterns such as `./...`. */
  readonly paths: readonly string[];
  readonly crd?: CrdOptions;
  readonly rbac?: RbacOptions;
  readonly webhook?: Header;
  readonly rules: OutputRules;
  /** What becomes of unknown and misplaced markers. */
  readonly unknownMarkers: "error" | "warn" | "ignore";
  /** Warnings are errors. */
  readonly strict: boolean;
  /** Removes CRD files that no kind makes any more. */
  readonly prune: boolean;
  /** Value of the version annotation of CRDs. */
  readonly toolVersion: string;
}
