/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { parseArgs } from "node:util";
import { createLogger, getConfigOrDie, loggerOptionsFromFlags, Manager, setupSignalHandler } from "@kubewright/runtime";
import { LogReconciler } from "./controller/ship/log-controller.ts";
import { setupLogWebhookWithManager } from "./webhook/ship/v1/log-webhook.ts";
import { LogReconciler as CrewPayLogReconciler } from "./controller/crew.pay/log-controller.ts";
import { setupLogWebhookWithManager as setupCrewPayLogWebhookWithManager } from "./webhook/crew.pay/v1/log-webhook.ts";
import { setupPodWebhookWithManager } from "./webhook/core/v1/pod-webhook.ts";
// +kubebuilder:scaffold:imports

const flagOptions = {
  "enable-http2": { type: "string", default: "false" },
  "health-probe-bind-address": { type: "string", default: ":8081" },
  help: { type: "boolean", short: "h" },
  kubeconfig: { type: "string" },
  "leader-elect": { type: "string", default: "false" },
  "metrics-bind-address": { type: "string", default: "0" },
  "metrics-cert-key": { type: "string" },
  "metrics-cert-name": { type: "string" },
  "metrics-cert-path": { type: "string" },
  "metrics-secure": { type: "string", default: "true" },
  "webhook-cert-key": { type: "string" },
  "webhook-cert-name": { type: "string" },
  "webhook-cert-path": { type: "string" },
  "webhook-local-url": { type: "string" },
  "webhook-port": { type: "string", default: "9443" },
  "zap-devel": { type: "string", default: "false" },
  "zap-encoder": { type: "string" },
  "zap-log-level": { type: "string" },
  "zap-stacktrace-level": { type: "string" },
  "zap-time-encoding": { type: "string" },
} as const;
const switches = ["enable-http2", "leader-elect", "metrics-secure", "zap-devel"];

/** Reads flags as kubebuilder's users write them: one dash or two, switches with or without a value. */
function readFlags(args: string[]) {
  const normal = args.map((arg) => {
    const flag = arg.replace(/^-(?=[a-z]{2})/, "--");
    return switches.includes(flag.slice(2)) ? `${flag}=true` : flag;
  });
  return parseArgs({ args: normal, options: flagOptions }).values;
}

/** The flags, and what holds where nothing is said. */
function usage(): string {
  const flags = Object.entries(flagOptions).map(
    ([name, option]) => `  --${name}${"default" in option ? ` (default: ${option.default})` : ""}`,
  );
  return ["Flags:", ...flags].join("\n");
}

/** What a switch says, in the words that Go's flags know. */
function isOn(flag: string, value: string): boolean {
  if (/^(1|t|true)$/i.test(value)) return true;
  if (/^(0|f|false)$/i.test(value)) return false;
  throw new Error(`--${flag}: ${value} is neither true nor false`);
}

function portOf(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < -1 || port > 65535) throw new Error(`--webhook-port: ${value} is no port`);
  return port;
}

async function main(): Promise<void> {
  const { help, ...flags } = readFlags(process.argv.slice(2));
  if (help) return console.log(usage());
  const logger = createLogger(loggerOptionsFromFlags(flags));
  const signal = setupSignalHandler();
  const mgr = await Manager.create(getConfigOrDie(), {
    logger,
    metrics: {
      bindAddress: flags["metrics-bind-address"],
      secureServing: isOn("metrics-secure", flags["metrics-secure"]),
      certDir: flags["metrics-cert-path"],
      certName: flags["metrics-cert-name"],
      keyName: flags["metrics-cert-key"],
    },
    webhook: {
      port: portOf(flags["webhook-port"]),
      certDir: flags["webhook-cert-path"],
      certName: flags["webhook-cert-name"],
      keyName: flags["webhook-cert-key"],
      enableHTTP2: isOn("enable-http2", flags["enable-http2"]),
      local: { url: flags["webhook-local-url"], namePrefix: "multigroup-" },
    },
    healthProbeBindAddress: flags["health-probe-bind-address"],
    leaderElection: isOn("leader-elect", flags["leader-elect"]),
    // config/rbac/leader_election_role.yaml allows this Lease only.
    leaderElectionID: "7762bcae.qingwave.github.io",
    // The next leader starts at once instead of waiting for the lease to expire. The process must end with the manager.
    leaderElectionReleaseOnCancel: true,
    cache: watchedNamespaces(),
  });

  await new LogReconciler(mgr.client).setupWithManager(mgr);
  if (process.env.ENABLE_WEBHOOKS !== "false") {
    await setupLogWebhookWithManager(mgr);
  }
  await new CrewPayLogReconciler(mgr.client).setupWithManager(mgr);
  if (process.env.ENABLE_WEBHOOKS !== "false") {
    await setupCrewPayLogWebhookWithManager(mgr);
  }
  if (process.env.ENABLE_WEBHOOKS !== "false") {
    await setupPodWebhookWithManager(mgr);
  }
  // +kubebuilder:scaffold:builder

  logger.info("Starting manager");
  await mgr.start(signal);
}

/** Watches the namespaces that WATCH_NAMESPACE names, with commas between them. */
function watchedNamespaces() {
  const names = (process.env.WATCH_NAMESPACE ?? "").split(",").filter((name) => name !== "");
  if (names.length === 0) throw new Error("WATCH_NAMESPACE must name the namespaces to watch");
  return { defaultNamespaces: Object.fromEntries(names.map((name) => [name, {}])) };
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // What still runs must not outlive a manager that has failed or lost its lease.
  process.exit(1);
}
