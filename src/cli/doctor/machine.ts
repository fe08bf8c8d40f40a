import { existsSync } from "node:fs";
import { execa } from "execa";
import type { CommandContext } from "../command.ts";
import { packageManager } from "../fetch-dependencies.ts";
import { nodeIsTooOld, oldestNode } from "../node-version.ts";
import type { Check } from "./check.ts";

type Surroundings = Pick<CommandContext, "env" | "cwd" | "signal">;

/** What the machine has: what every project needs, and what only some commands call. */
export async function checkMachine(surroundings: Surroundings): Promise<Check[]> {
  const { env } = surroundings;
  const manager = packageManager(env.npm_config_user_agent);
  const kubectl = env.KUBECTL ?? "kubectl";
  const container = env.CONTAINER_TOOL ?? "docker";
  return Promise.all([
    checkNode(),
    tool(surroundings, { name: manager, args: ["--version"], needed: "packages are installed with it" }),
    tool(surroundings, {
      name: kubectl,
      args: ["version", "--client", "-o", "yaml"],
      needed: "make install and make deploy call it",
      hint: "install kubectl from kubernetes.io/docs/tasks/tools",
    }),
    checkCluster(surroundings, kubectl),
    tool(surroundings, { name: container, args: ["--version"], optional: "make docker-build calls it" }),
    checkTestServers(surroundings),
  ]);
}

function checkNode(): Check {
  const message = `node ${process.versions.node}`;
  if (!nodeIsTooOld()) return { id: "node", status: "ok", message };
  return {
    id: "node",
    status: "missing",
    message: `${message} is too old`,
    hint: `install Node ${oldestNode} or newer`,
  };
}

interface Tool {
  readonly name: string;
  readonly args: readonly string[];
  readonly needed?: string;
  readonly optional?: string;
  readonly hint?: string;
}

async function tool(surroundings: Surroundings, { name, args, needed, optional, hint }: Tool): Promise<Check> {
  const { failed, stdout } = await ask(surroundings, name, args);
  if (!failed)
    return { id: name, status: "ok", message: `${name} ${/\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? ""}`.trim() };
  return {
    id: name,
    status: optional === undefined ? "missing" : "notice",
    message: `${name} is not there: ${optional ?? needed}`,
    hint,
  };
}

/** A cluster is needed by few commands, and not to be reached is no fault of the project. */
async function checkCluster(surroundings: Surroundings, kubectl: string): Promise<Check> {
  const { failed, stdout } = await ask(surroundings, kubectl, ["version", "-o", "json", "--request-timeout=2s"]);
  const server = failed ? undefined : /"serverVersion"[\s\S]*?"gitVersion":\s*"([^"]+)"/.exec(stdout)?.[1];
  return server === undefined
    ? { id: "cluster", status: "notice", message: "cluster can't be reached: make install, run and deploy need one" }
    : { id: "cluster", status: "ok", message: `cluster ${server}` };
}

async function checkTestServers(surroundings: Surroundings): Promise<Check> {
  const { env } = surroundings;
  const hint = "npx setup-envtest use gets them";
  const given = env.KUBEBUILDER_ASSETS;
  if (given !== undefined && given !== "") {
    return existsSync(given)
      ? { id: "envtest", status: "ok", message: `etcd and kube-apiserver for tests in ${given}` }
      : { id: "envtest", status: "notice", message: `KUBEBUILDER_ASSETS is ${given}, which isn't there`, hint };
  }
  const { failed, stdout } = await ask(surroundings, "setup-envtest", ["use", "--installed-only", "-p", "path"]);
  return failed
    ? { id: "envtest", status: "notice", message: "etcd and kube-apiserver for tests are not there", hint }
    : { id: "envtest", status: "ok", message: `etcd and kube-apiserver for tests in ${stdout.trim()}` };
}

/** Runs a program, that of the project first; it is given a few seconds. */
function ask({ env, cwd, signal }: Surroundings, name: string, args: readonly string[]) {
  return execa(name, args, {
    cwd,
    env: { ...env },
    extendEnv: false,
    preferLocal: true,
    localDir: cwd,
    reject: false,
    stdin: "ignore",
    timeout: 10_000,
    cancelSignal: signal,
  });
}
