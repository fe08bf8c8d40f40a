import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { argumentPlace, type Marker } from "../markers/index.ts";

/** What is wrong with a webhook. */
export interface Finding {
  /** The argument that is at fault; if it wasn't given, the marker is. */
  readonly argument: string;
  readonly message: string;
  readonly hint?: string;
}

/** A finding as a diagnostic at its argument. */
export function toDiagnostic(
  id: Diagnostic["id"],
  severity: Diagnostic["severity"],
  marker: Marker,
  { argument, message, hint }: Finding,
): Diagnostic {
  const text = `+${marker.name}: ${message}`;
  return { id, severity, message: text, ...argumentPlace(marker, argument), ...(hint === undefined ? {} : { hint }) };
}
