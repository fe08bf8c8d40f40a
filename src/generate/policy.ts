import type { DiagnosticPolicy } from "../diagnostics/collector.ts";
import { unknownMarkerLevels } from "./markers/unknown-markers.ts";
import type { GenerateRequest } from "./request.ts";

/** Returns the levels of diagnostics for a request. */
export function policyOf({ levels, unknownMarkers, strict }: GenerateRequest): DiagnosticPolicy {
  return { levels: { ...levels, ...unknownMarkerLevels(unknownMarkers) }, strict };
}
