import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../src/cli/commands.ts";
import { commandProgram } from "../src/cli/program.ts";
import { argumentsOf, examplesOf } from "./reference/cli-examples.ts";
import { metricEntries, originOf } from "./reference/metrics.ts";
import { pages } from "./reference/pages.ts";

describe("docs/reference says what the code says", () => {
  it.each(pages)(
    "$file",
    async ({ file, make }) => {
      const text = readFileSync(join(import.meta.dirname, "../docs/reference", file), "utf8");
      const [written, made] = [text, await make()].map(ofEverySystem);
      expect(written, "run `npm run docs:reference`").toBe(made);
    },
    120_000,
  );
});

/** Without what only Linux counts of a process. */
function ofEverySystem(text: string): string {
  return process.platform === "linux" ? text : text.replace(/^\| `process_.*\n/gm, "");
}

const examples = commands.flatMap((entry) => examplesOf(entry).map((example) => ({ entry, example, ...example })));

it.each(examples)("the command understands $line", async ({ entry, example }) => {
  let parsed = false;
  const onParsed = () => {
    parsed = true;
  };
  const program = await commandProgram(entry, await entry.load(), {}, { onHelp: () => undefined, onParsed });
  await program.parse(argumentsOf(entry, example));
  expect(parsed).toBe(true);
});

/** What controller-runtime v0.25 registers; `leader_election_slowpath_total` it declares and never does. */
const ofControllerRuntime = [
  "certwatcher_read_certificate_errors_total",
  "certwatcher_read_certificate_total",
  "controller_runtime_active_workers",
  "controller_runtime_conversion_webhook_panics_total",
  "controller_runtime_max_concurrent_reconciles",
  "controller_runtime_reconcile_errors_total",
  "controller_runtime_reconcile_panics_total",
  "controller_runtime_reconcile_time_seconds",
  "controller_runtime_reconcile_timeouts_total",
  "controller_runtime_reconcile_total",
  "controller_runtime_terminal_reconcile_errors_total",
  "controller_runtime_webhook_latency_seconds",
  "controller_runtime_webhook_panics_total",
  "controller_runtime_webhook_requests_in_flight",
  "controller_runtime_webhook_requests_total",
  "leader_election_master_status",
  "rest_client_dns_resolution_duration_seconds",
  "rest_client_rate_limiter_duration_seconds",
  "rest_client_request_duration_seconds",
  "rest_client_request_retries_total",
  "rest_client_request_size_bytes",
  "rest_client_requests_total",
  "rest_client_response_size_bytes",
  "workqueue_adds_total",
  "workqueue_depth",
  "workqueue_longest_running_processor_seconds",
  "workqueue_queue_duration_seconds",
  "workqueue_retries_total",
  "workqueue_unfinished_work_seconds",
  "workqueue_work_duration_seconds",
];

it("has every metric of controller-runtime, and no name of its own among them", async () => {
  const theirs = (await metricEntries()).filter((entry) => originOf(entry) === "controller-runtime");
  expect(theirs.map(({ name }) => name)).toEqual(ofControllerRuntime);
});
