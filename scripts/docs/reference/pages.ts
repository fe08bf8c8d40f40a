import { diagnosticsReference } from "../../../src/diagnostics/definitions/reference.ts";
import { markersReference } from "../../../src/generate/help/index.ts";
import { cliReference } from "./cli.ts";
import { metricsReference } from "./metrics.ts";
import { runtimeReference } from "./runtime.ts";

/** A page of docs/reference that is generated from code. */
export interface Page {
  readonly file: string;
  make(): string | Promise<string>;
}

export const pages: readonly Page[] = [
  { file: "cli.md", make: cliReference },
  { file: "diagnostics.md", make: diagnosticsReference },
  { file: "markers.md", make: markersReference },
  { file: "metrics.md", make: metricsReference },
  { file: "runtime.md", make: runtimeReference },
];
