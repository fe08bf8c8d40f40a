import type { TransportRequest } from "./transport.ts";

/** Checks for a dry run. Deletions have the option in their body. */
export function isDryRun({ method, query, body }: TransportRequest): boolean {
  if (query?.dryRun) return true;
  return method === "DELETE" && (body as { dryRun?: unknown } | undefined)?.dryRun !== undefined;
}
