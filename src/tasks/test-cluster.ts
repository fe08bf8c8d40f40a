import { checkCode } from "./manager.ts";
import { runProgram } from "./programs.ts";
import { settings, type Task } from "./task.ts";

/** `scaffold setup-test-e2e`. */
export async function setupTestCluster(task: Task): Promise<void> {
  const { kind, cluster } = settings(task);
  const clusters = await runProgram(task, kind, ["get", "clusters"], { capture: true });
  if (clusters.split(/\s+/).includes(cluster)) task.note(`The Kind cluster ${cluster} already exists.`);
  else await runProgram(task, kind, ["create", "cluster", "--name", cluster]);
}

/** `scaffold test-e2e`. After a failure, the cluster stays for its analysis. */
export async function testInCluster(task: Task): Promise<void> {
  await setupTestCluster(task);
  await checkCode(task);
  await runProgram(task, "vitest", ["run", "--config", "test/e2e/vitest.config.ts", ...task.args]);
  await cleanUpTestCluster(task);
}

/** `scaffold cleanup-test-e2e`. */
export async function cleanUpTestCluster(task: Task): Promise<void> {
  const { kind, cluster } = settings(task);
  await runProgram(task, kind, ["delete", "cluster", "--name", cluster]);
}
