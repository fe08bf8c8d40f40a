import { run } from "./run.mjs";

/**
 * Finds, downloads or builds etcd, kube-apiserver and kube-controller-manager. Returns their directory, or undefined if that is
 * impossible; setup-envtest prints the reason.
 */
export async function testServers() {
  const { code, stdout } = await run(
    process.execPath,
    ["runtime/bin/setup-envtest.js", "use", "--controller-manager", "-p", "path"],
    { show: "stderr" },
  );
  const path = stdout.trim().split("\n").pop();
  return code === 0 && path ? path : undefined;
}
