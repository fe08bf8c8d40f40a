import { scaffold } from "../../scripts/test-support/scaffold.ts";

/** Scaffolds a project without packages. */
export async function initProject(root: string): Promise<void> {
  const names = ["--project-name", "mygame", "--domain", "qingwave.github.io", "--repo", "qingwave.github.io/mygame"];
  await scaffold(root, "init", ...names, "--fetch-deps=false");
}

/** Adds the kind Game to a project. */
export async function createApi(root: string): Promise<void> {
  await scaffold(root, "create", "api", "--group", "myapp", "--version", "v1", "--kind", "Game");
}
