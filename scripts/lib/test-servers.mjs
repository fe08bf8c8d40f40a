// JavaScript with checked types, because scripts use it before they install packages.
// @ts-check
import { run } from "./run.mjs";

/**
 * Finds, downloads or builds etcd, kube-apiserver and, by default, kube-controller-manager. Returns their directory, or
 * undefined if that is impossible; setup-envtest prints the reason.
 */
export async function testServers({ controllerManager = true } = {}) {
  const more = controllerManager ? ["--controller-manager"] : [];
  const command = ["packages/runtime/bin/setup-envtest.js", "use", ...more, "-p", "path"];
  const { code, stdout } = await run(process.execPath, command, { show: "stderr" });
  const path = stdout.trim().split("\n").pop();
  return code === 0 && path ? path : undefined;
}
