import type { Registry } from "prom-client";
import type { Prom } from "./prom.ts";

/** `certwatcher_…`: readings of certificates, of webhooks and of the metrics themselves. Gives who counts one. */
export function certificateSeries(prom: Prom, registers: Registry[]): (failed: boolean) => void {
  const counter = (name: string, help: string) => new prom.Counter({ name, help, registers });
  const reads = counter("certwatcher_read_certificate_total", "Readings of a certificate's files.");
  const errors = counter("certwatcher_read_certificate_errors_total", "Readings of a certificate's files that failed.");
  return (failed) => {
    reads.inc();
    if (failed) errors.inc();
  };
}
