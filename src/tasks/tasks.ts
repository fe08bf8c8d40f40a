import { build } from "./build.ts";
import { buildInstaller, deploy, install, undeploy, uninstall } from "./deploy.ts";
import { dev } from "./dev.ts";
import { cleanupTestE2e, setupTestE2e, testE2e } from "./e2e.ts";
import { helmDeploy, helmHistory, helmRollback, helmStatus, helmUninstall } from "./helm.ts";
import { dockerBuild, dockerBuildx, dockerPush } from "./images.ts";
import { run } from "./run.ts";
import type { Task } from "./task.ts";

/** The tasks by command. Each is also a target of the Makefile and an npm script. */
export const tasks = {
  build,
  run,
  dev,
  install,
  uninstall,
  deploy,
  undeploy,
  "build-installer": buildInstaller,
  "docker-build": dockerBuild,
  "docker-push": dockerPush,
  "docker-buildx": dockerBuildx,
  "setup-test-e2e": setupTestE2e,
  "test-e2e": testE2e,
  "cleanup-test-e2e": cleanupTestE2e,
  "helm-deploy": helmDeploy,
  "helm-uninstall": helmUninstall,
  "helm-status": helmStatus,
  "helm-history": helmHistory,
  "helm-rollback": helmRollback,
} satisfies Record<string, Task>;

export type TaskName = keyof typeof tasks;
