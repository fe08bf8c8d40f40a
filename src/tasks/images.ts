import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../programs/run.ts";
import { runProgram } from "./programs.ts";
import { settings, type Task } from "./task.ts";

/** `scaffold docker-build`. */
export async function dockerBuild(task: Task): Promise<void> {
  const { containerTool, image } = settings(task);
  await runProgram(task, containerTool, ["build", ...(await buildArguments(task)), "-t", image, "."]);
}

/** `scaffold docker-push`. */
export async function dockerPush(task: Task): Promise<void> {
  const { containerTool, image } = settings(task);
  await runProgram(task, containerTool, ["push", image]);
}

/** `scaffold docker-buildx`. */
export async function dockerBuildx(task: Task): Promise<void> {
  const { containerTool, image, platforms } = settings(task);
  const cross = join(task.root, "Dockerfile.cross");
  if (task.calls === undefined) {
    // The bundle is the same on all platforms, so it is built on the platform of this machine.
    const dockerfile = readFileSync(join(task.root, "Dockerfile"), "utf8");
    writeFileSync(cross, dockerfile.replace(/^FROM (?=.* AS )/gm, "FROM --platform=$BUILDPLATFORM "));
  }
  const builder = `${task.project.projectName}-builder`;
  const call = (...args: string[]) => runProgram(task, containerTool, ["buildx", ...args]);
  try {
    await call("create", "--name", builder);
    const where = ["--builder", builder, "--push", `--platform=${platforms}`];
    const what = [...(await buildArguments(task)), "--tag", image, "-f", "Dockerfile.cross", "."];
    await call("build", ...where, ...what);
  } finally {
    if (task.calls === undefined) rmSync(cross, { force: true });
    await runProgram(task, containerTool, ["buildx", "rm", builder], { cleanup: true }).catch(() => undefined);
  }
}

/** Splits the name of an image at its tag, which is empty without one. A port before the path isn't a tag. */
export function splitImage(image: string): { readonly repository: string; readonly tag: string } {
  const [, repository = "", tag = ""] = /^(.*?)(?::([^:/@]*))?$/.exec(image) ?? [];
  return { repository, tag };
}

/** Returns the build arguments for the Dockerfile. Environment variables override the defaults from package.json and Git. */
async function buildArguments(task: Task): Promise<string[]> {
  const { root, env } = task;
  const { repository, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const versions: Record<string, string | undefined> = {
    BASE_IMAGE: undefined,
    IMAGE_VERSION: splitImage(settings(task).image).tag,
    IMAGE_REVISION: await revision(task),
    IMAGE_SOURCE: repository?.url ?? repository,
    IMAGE_LICENSES: license,
  };
  const values = Object.entries(versions).map(([name, value]) => [name, env[name] || value]);
  return values.filter(([, value]) => value).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
}

/** Returns the current commit, with "-dirty" if files differ from it, or undefined without Git. A dry run doesn't call Git. */
async function revision({ root, env, calls }: Task): Promise<string | undefined> {
  if (calls !== undefined) return "<commit>";
  const args = ["describe", "--always", "--dirty", "--abbrev=40", "--match="];
  const { failed, stdout } = await run("git", args, { cwd: root, env });
  return failed ? undefined : stdout.trim();
}
