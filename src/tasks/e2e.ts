import { check } from "./build.ts";
import { installPackages } from "./bundle.ts";
import type { Task, TaskContext } from "./task.ts";

/** `scaffold setup-test-e2e` */
export const setupTestE2e: Task = {
  description: "Create the kind cluster of the e2e tests if it doesn't exist.",
  variables: ["KIND", "KIND_CLUSTER"],
  run: createCluster,
};

/** `scaffold test-e2e` */
export const testE2e: Task = {
  description:
    "Run the e2e tests in their own kind cluster, and delete it if they pass. First updates the manifests, formats the code and checks its types.",
  variables: ["KIND", "KIND_CLUSTER", "KUBECTL", "CONTAINER_TOOL"],
  async run(context) {
    await createCluster(context);
    await check(context);
    await context.runner.run("vitest", ["run", "--config", "test/e2e/vitest.config.ts"], { install: installPackages });
    await deleteCluster(context);
  },
};

/** `scaffold cleanup-test-e2e` */
export const cleanupTestE2e: Task = {
  description: "Delete the kind cluster of the e2e tests.",
  variables: ["KIND", "KIND_CLUSTER"],
  run: deleteCluster,
};

async function createCluster({ runner, variables, note }: TaskContext): Promise<void> {
  const { KIND, KIND_CLUSTER } = variables;
  const clusters = (await runner.capture(KIND, ["get", "clusters"])).split(/\s+/);
  if (clusters.includes(KIND_CLUSTER)) note(`The kind cluster ${KIND_CLUSTER} already exists.`);
  else await runner.run(KIND, ["create", "cluster", "--name", KIND_CLUSTER]);
}

function deleteCluster({ runner, variables }: TaskContext): Promise<void> {
  return runner.run(variables.KIND, ["delete", "cluster", "--name", variables.KIND_CLUSTER]);
}
