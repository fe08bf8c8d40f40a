import { run } from "./run.mjs";

/** Finds, downloads or builds etcd, kube-apiserver and kube-controller-manager; returns their directory, or undefined if that is impossible. */
export async function testServers() {
  const { code, stdout } = await run(
    process.execPath,
    ["runtime/bin/setup-envtest.js", "use", "--controller-manager", "-p", "path"],
    { show: "stderr" },
  );
  const path = stdout.trim().split("\n").pop();
  if (code !== 0 || !path) return undefined;
  process.stdout.write(`${path}\n`);
  return path;
}
