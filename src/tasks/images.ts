import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Task, TaskContext } from "./task.ts";
import type { VariableName } from "./variables.ts";

const labels: readonly VariableName[] = [
  "BASE_IMAGE",
  "IMAGE_VERSION",
  "IMAGE_REVISION",
  "IMAGE_SOURCE",
  "IMAGE_LICENSES",
];

/** `scaffold docker-build` */
export const dockerBuild: Task = {
  description: "Build the image IMG of the manager.",
  variables: ["IMG", "CONTAINER_TOOL", ...labels],
  async run(context) {
    const { runner, variables } = context;
    await runner.run(variables.CONTAINER_TOOL, ["build", ...(await buildArguments(context)), "-t", variables.IMG, "."]);
  },
};

/** `scaffold docker-push` */
export const dockerPush: Task = {
  description: "Push the image IMG to its registry.",
  variables: ["IMG", "CONTAINER_TOOL"],
  run: ({ runner, variables }) => runner.run(variables.CONTAINER_TOOL, ["push", variables.IMG]),
};

/** `scaffold docker-buildx` */
export const dockerBuildx: Task = {
  description: "Build the image IMG of the manager for all PLATFORMS, and push it.",
  variables: ["IMG", "CONTAINER_TOOL", "PLATFORMS", ...labels],
  async run(context) {
    const { root, runner, project } = context;
    const { CONTAINER_TOOL, IMG, PLATFORMS } = context.variables;
    // The bundle is the same on all platforms, so it is built on the platform of this machine.
    const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
    runner.write("Dockerfile.cross", dockerfile.replace(/^FROM (?=.* AS )/gm, "FROM --platform=$BUILDPLATFORM "));
    const builder = `${project.projectName}-builder`;
    try {
      await runner.run(CONTAINER_TOOL, ["buildx", "create", "--name", builder]);
      const target = ["--builder", builder, "--push", `--platform=${PLATFORMS}`];
      const source = ["--tag", IMG, "-f", "Dockerfile.cross", "."];
      await runner.run(CONTAINER_TOOL, ["buildx", "build", ...target, ...(await buildArguments(context)), ...source]);
    } finally {
      runner.delete("Dockerfile.cross");
      await runner.run(CONTAINER_TOOL, ["buildx", "rm", builder], { cleanup: true }).catch(() => undefined);
    }
  },
};

/** Returns the build arguments for the Dockerfile. Variables override the values from package.json and Git. */
async function buildArguments({ root, runner, variables }: TaskContext): Promise<string[]> {
  const { repository, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // The current commit, with "-dirty" if files differ from it.
  const revision = await runner.probe("git", ["describe", "--always", "--dirty", "--abbrev=40", "--match="]);
  const found: Partial<Record<VariableName, string>> = {
    BASE_IMAGE: "",
    IMAGE_VERSION: splitImage(variables.IMG).tag,
    IMAGE_REVISION: revision?.trim(),
    IMAGE_SOURCE: repository?.url ?? repository,
    IMAGE_LICENSES: license,
  };
  const values = labels.map((name) => [name, variables[name] || found[name]]);
  return values.filter(([, value]) => value).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
}

/** Splits an image into repository and tag. A port before the path isn't a tag. */
export function splitImage(image: string): { readonly repository: string; readonly tag: string } {
  const [, repository = image, tag = ""] = /^(.*?)(?::([^:/@]*))?$/.exec(image) ?? [];
  return { repository, tag };
}
