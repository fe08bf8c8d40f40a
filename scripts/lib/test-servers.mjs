import { run } from "./run.mjs";

/** Finds, downloads or builds etcd, kube-apiserver and kube-controller-manager; returns their directory, or undefined if that is impossible. */
export async function testServers() {
  const { code, output } = await run(
    process.execPath,
    ["runtime/bin/setup-envtest.js", "use", "--controller-manager", "-p", "path"],
    { quiet: "stdout" },
  );
  const path = output.trim().split("\n").pop();
  if (code !== 0 || !path) return undefined;
  process.stdout.write(`${path}\n`);
  return path;
}
