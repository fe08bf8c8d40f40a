// The page about troubleshooting must contain messages of the operator and the commands, so that a search finds them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./pages.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/troubleshooting.md");

/** A part of each message, with the module that creates it. */
const messages = [
  ["is its CustomResourceDefinition installed?", "packages/runtime/src/errors/no-match-error.ts"],
  [
    "no API server is configured: neither --kubeconfig nor KUBECONFIG is set",
    "packages/runtime/src/config/load-config.ts",
  ],
  ["failed to wait for the caches of controller ", "packages/runtime/src/controller/start-sources.ts"],
  ["controller with name ", "packages/runtime/src/manager/manager.ts"],
  ["leaderElectionID must be configured", "packages/runtime/src/manager/election.ts"],
  ["leader election lost", "packages/runtime/src/manager/run.ts"],
  ["Reconciler error", "packages/runtime/src/controller/controller.ts"],
  ["Missing permission: add the marker and run make manifests", "packages/runtime/src/client/missing-permissions.ts"],
  [" has no index: call mgr.cache.indexField", "packages/runtime/src/cache/reader.ts"],
  ["Successfully acquired lease", "packages/runtime/src/leader-election/leader-elector.ts"],
  ["Registering webhook", "packages/runtime/src/webhook/server.ts"],
  ["can't use the certificate ", "packages/runtime/src/certs/certificate-files.ts"],
  [" was not ready within ", "packages/runtime/src/envtest/servers/server.ts"],
  ["owns(…) requires for(…): it enqueues the owners of that kind", "packages/runtime/src/builder/builder.ts"],
  [
    "the controller watches nothing: call for(…), watches(…) or watchesRawSource(…)",
    "packages/runtime/src/builder/builder.ts",
  ],
  ["has no current-context: select one with", "packages/runtime/src/config/from-kubeconfig.ts"],
  ["can't read the kubeconfig ", "packages/runtime/src/config/read-kubeconfig.ts"],
  ["the credential plugin ", "packages/runtime/src/transport/exec-credentials.ts"],
  ["error retrieving resource lock", "packages/runtime/src/leader-election/leader-elector.ts"],
  ["failed waiting for all runnables to end within grace period", "packages/runtime/src/manager/run.ts"],
  ["Unhandled promise rejection", "packages/runtime/src/manager/run.ts"],
  ["Bug in the reconciler", "packages/runtime/src/controller/controller.ts"],
  ["List or watch failed", "packages/runtime/src/cache/reflector.ts"],
  [" isn't in the cache of ", "packages/runtime/src/cache/reader.ts"],
  ["WATCH_NAMESPACE must contain at least one namespace to watch", "packages/runtime/src/manager/watch-namespaces.ts"],
  [" is already controlled by ", "packages/runtime/src/controllerutil/owner-references.ts"],
  ["a namespace is required, because the kind is namespaced", "packages/runtime/src/client/resource.ts"],
  ["the object has neither a name nor a generateName", "packages/runtime/src/client/live-client.ts"],
  [": no such file or directory (crdDirectoryPaths)", "packages/runtime/src/manifests/crds.ts"],
  ["these objects have finalizers, which only the manager can remove", "src/tasks/deploy.ts"],
] as const;

it.each(messages)("the page contains %j as in %s", (part, module) => {
  expect(read(module)).toContain(part);
  expect(page).toContain(part);
});
