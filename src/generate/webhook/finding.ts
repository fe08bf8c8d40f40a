import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { similarHint } from "../../diagnostics/did-you-mean.ts";
import { listed } from "../../text/list.ts";
import { argumentPlace, type Marker } from "../markers/index.ts";

/** A problem of a webhook. */
export interface Finding {
  /** The argument to point at; if it is absent, the diagnostic points at the marker. */
  readonly argument: string;
  readonly message: string;
  readonly hint?: string;
}

/** Converts a finding to a diagnostic at its argument. */
export function toDiagnostic(
  id: Diagnostic["id"],
  severity: Diagnostic["severity"],
  marker: Marker,
  { argument, message, hint }: Finding,
): Diagnostic {
  const text = `+${marker.name}: ${message}`;
  return { id, severity, message: text, ...argumentPlace(marker, argument), ...(hint === undefined ? {} : { hint }) };
}

/** Returns the hint for a value that isn't in a closed list: the most similar value, or all of them. */
export function choose(value: unknown, allowed: readonly string[]): string {
  return similarHint(String(value), allowed, `use ${listed(allowed, "or")}`);
}
