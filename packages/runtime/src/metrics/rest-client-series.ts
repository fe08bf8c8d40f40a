import type { Registry } from "prom-client";
import type { Exchange, RequestDetails } from "../transport/options.ts";
import { byLabels, timings } from "./buffered-series.ts";
import type { Prom } from "./prom.ts";

const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const bytes = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

export interface RestClientSeries {
  details: RequestDetails;
  exchange(exchange: Exchange): void;
}

/** Adds the optional `rest_client_…` metrics: durations, sizes, retries. */
export function restClientSeries(prom: Prom, registers: Registry[]): RestClientSeries {
  const histogram = (name: string, help: string, labelNames: readonly string[], buckets: readonly number[]) =>
    byLabels(labelNames, timings({ name: `rest_client_${name}`, help, registers }, buckets));
  const labels = ["verb", "host"] as const;
  const duration = histogram(
    "request_duration_seconds",
    "Request latency in seconds, by verb and host.",
    labels,
    seconds,
  );
  const dns = histogram(
    "dns_resolution_duration_seconds",
    "DNS resolver latency in seconds, by host.",
    ["host"],
    seconds,
  );
  const limited = histogram(
    "rate_limiter_duration_seconds",
    "Client side rate limiter latency in seconds, by verb and host.",
    labels,
    seconds,
  );
  const sent = histogram("request_size_bytes", "Request size in bytes, by verb and host.", labels, bytes);
  const received = histogram("response_size_bytes", "Response size in bytes, by verb and host.", labels, bytes);
  const retries = new prom.Counter({
    name: "rest_client_request_retries_total",
    help: "Number of request retries, partitioned by status code, verb, and host.",
    labelNames: ["code", "verb", "host"] as const,
    registers,
  });
  return {
    exchange: ({ method: verb, host, duration: took }) => duration(verb, host).observe(took / 1000),
    details: {
      rateLimited: (verb, host, waited) => limited(verb, host).observe(waited / 1000),
      sent: (verb, host, size) => sent(verb, host).observe(size),
      received: (verb, host, size) => received(verb, host).observe(size),
      retried: (verb, host, code) => retries.inc({ code, verb, host }),
      resolved: (host, took) => dns(host).observe(took / 1000),
    },
  };
}
