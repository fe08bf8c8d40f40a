import type { Registry } from "prom-client";
import type { Prom } from "./prom.ts";

/** Adds `certwatcher_…`: reads of the certificates of webhooks and metrics. Returns a function that counts one. */
export function certificateSeries(prom: Prom, registers: Registry[]): (failed: boolean) => void {
  const counter = (name: string, help: string) => new prom.Counter({ name, help, registers });
  const reads = counter("certwatcher_read_certificate_total", "Total number of certificate reads");
  const errors = counter("certwatcher_read_certificate_errors_total", "Total number of certificate read errors");
  return (failed) => {
    reads.inc();
    if (failed) errors.inc();
  };
}
