// Installs the packages of scaffolded projects. scripts/test.mjs runs this beside the unit tests, because the first tests of e2e
// would all wait for it: 15 s, in which only one core works.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { initProject } from "./game.ts";

const project = mkdtempSync(join(tmpdir(), "kubewright-packages-"));
try {
  await initProject(project);
  await linkPackages(project);
} finally {
  rmSync(project, { recursive: true, force: true });
}
