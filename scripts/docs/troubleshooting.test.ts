// The page about troubleshooting must contain messages of the operator and the commands, so that a search finds them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./pages.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/troubleshooting.md");

/** A part of each message, with the module that creates it. */
const messages = [
  ["is its CustomResourceDefinition installed?", "runtime/src/errors/no-match-error.ts"],
  ["no API server is configured: neither --kubeconfig nor KUBECONFIG is set", "runtime/src/config/load-config.ts"],
  ["failed to wait for the caches of controller ", "runtime/src/controller/start-sources.ts"],
  ["controller with name ", "runtime/src/manager/manager.ts"],
  ["leaderElectionID must be configured", "runtime/src/manager/election.ts"],
  ["leader election lost", "runtime/src/manager/run.ts"],
  ["Reconciler error", "runtime/src/controller/controller.ts"],
  ["Missing permission: add the marker and run make manifests", "runtime/src/client/missing-permissions.ts"],
  [" has no index: call mgr.cache.indexField", "runtime/src/cache/reader.ts"],
  ["Successfully acquired lease", "runtime/src/leader-election/leader-elector.ts"],
  ["Registering webhook", "runtime/src/webhook/server.ts"],
  ["can't use the certificate ", "runtime/src/certs/certificate-files.ts"],
  [" was not ready within ", "runtime/src/envtest/servers/server.ts"],
  ["these objects have finalizers, which only the manager can remove", "src/tasks/deploy.ts"],
] as const;

it.each(messages)("the page contains %j as in %s", (part, module) => {
  expect(read(module)).toContain(part);
  expect(page).toContain(part);
});
