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
import {
  createLogger,
  getConfigOrDie,
  loggerOptionsFromFlags,
  Manager,
  selfManagedCertificatesFromEnv,
  setupSignalHandler,
} from "@kubewright/runtime";
import { GameReconciler } from "./controller/game-controller.ts";
import { setupGameWebhookWithManager } from "./webhook/v1/game-webhook.ts";
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
const booleanFlags = ["enable-http2", "leader-elect", "metrics-secure", "zap-devel"];

/** Parses flags in the syntax of Go: with one or two dashes, and boolean flags with or without a value. */
function readFlags(args: string[]) {
  const normal = args.map((arg) => {
    const flag = arg.replace(/^-(?=[a-z]{2})/, "--");
    return booleanFlags.includes(flag.slice(2)) ? `${flag}=true` : flag;
  });
  return parseArgs({ args: normal, options: flagOptions }).values;
}

/** Returns the help text: all flags with their defaults. */
function usage(): string {
  const flags = Object.entries(flagOptions).map(
    ([name, option]) => `  --${name}${"default" in option ? ` (default: ${option.default})` : ""}`,
  );
  return ["Flags:", ...flags].join("\n");
}

/** Parses a boolean flag. Accepts the same values as Go's flag package. */
function parseBoolean(flag: string, value: string): boolean {
  if (/^(1|t|true)$/i.test(value)) return true;
  if (/^(0|f|false)$/i.test(value)) return false;
  throw new Error(`invalid value "${value}" for --${flag}: must be true or false`);
}

function parsePort(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < -1 || port > 65535) {
    throw new Error(`invalid value "${value}" for --webhook-port: must be a port number`);
  }
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
      secureServing: parseBoolean("metrics-secure", flags["metrics-secure"]),
      certDir: flags["metrics-cert-path"],
      certName: flags["metrics-cert-name"],
      keyName: flags["metrics-cert-key"],
    },
    webhook: {
      port: parsePort(flags["webhook-port"]),
      certDir: flags["webhook-cert-path"],
      certName: flags["webhook-cert-name"],
      keyName: flags["webhook-cert-key"],
      enableHTTP2: parseBoolean("enable-http2", flags["enable-http2"]),
      // Configured in config/default/manager_webhook_patch.yaml; undefined if the manager runs outside of a cluster.
      selfManagedCertificates: selfManagedCertificatesFromEnv(),
      local: { url: flags["webhook-local-url"], namePrefix: "self-" },
    },
    healthProbeBindAddress: flags["health-probe-bind-address"],
    leaderElection: parseBoolean("leader-elect", flags["leader-elect"]),
    // Must match the Lease in config/rbac/leader_election_role.yaml.
    leaderElectionID: "645ba277.example.com",
    // The next leader takes over without waiting for the lease to expire. The process must exit when the manager stops.
    leaderElectionReleaseOnCancel: true,
  });

  await new GameReconciler(mgr.client).setupWithManager(mgr);
  if (process.env.ENABLE_WEBHOOKS !== "false") {
    await setupGameWebhookWithManager(mgr);
  }
  // +kubebuilder:scaffold:builder

  logger.info("Starting manager");
  await mgr.start(signal);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // Exit so that nothing keeps running after the manager failed or lost its lease.
  process.exit(1);
}
