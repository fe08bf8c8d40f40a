import { existsSync } from "node:fs";
import { join } from "node:path";
import { displayPath } from "../../diagnostics/index.ts";
import { printable } from "../../text/shown.ts";
import { olderThan, oldestNode } from "../framework/node-version.ts";
import { packageManager } from "../models/fetch-dependencies.ts";
import { readManifest } from "../models/package-manifest.ts";
import { ask, type CheckContext, silence } from "./ask.ts";
import type { Check } from "./check.ts";
import { lockedManager } from "./packages.ts";
import { testServers } from "./test-servers.ts";

/** Checks the tools on the machine: required ones, and those that only some commands need. */
export async function checkMachine(context: CheckContext): Promise<Check[]> {
  const { env, cwd } = context;
  const kubectl = env.KUBECTL ?? "kubectl";
  // Without KUSTOMIZE, the project uses the kustomize that is built into kubectl.
  const kustomize = env.KUSTOMIZE?.trim().split(/\s+/)[0];
  return Promise.all([
    checkNode(cwd),
    tool(context, {
      name: lockedManager(cwd) ?? packageManager(env.npm_config_user_agent).name,
      args: ["--version"],
      needed: "it installs the packages",
    }),
    tool(context, {
      name: kubectl,
      args: ["version", "--client", "-o", "yaml"],
      needed: "make install and make deploy need it",
      hint: "install kubectl: kubernetes.io/docs/tasks/tools",
    }),
    ...(kustomize === undefined || kustomize === kubectl
      ? []
      : [
          tool(context, {
            name: kustomize,
            args: ["version"],
            needed: "the environment variable KUSTOMIZE names it",
          }),
        ]),
    tool(context, {
      name: "make",
      args: ["--version"],
      optional: "optional, because each target is also an npm script",
      hint: "run npm run to list the scripts",
    }),
    checkContainers(context),
    checkTestServers(context),
  ]);
}

/** Checks the tool that builds images, and the daemon that it may need: only `version` connects to it. */
async function checkContainers(context: CheckContext): Promise<Check> {
  const name = context.env.CONTAINER_TOOL ?? "docker";
  const optional = "make docker-build needs it";
  const hint = "install it, or choose another tool with CONTAINER_TOOL=podman";
  const installed = await tool(context, { name, args: ["--version"], optional, hint });
  if (installed.status !== "ok") return installed;
  const { failed, stderr } = await ask(context, name, "version");
  if (!failed) return installed;
  const reason = stderr.trim().split("\n").at(-1) ?? "";
  return {
    id: name,
    status: "notice",
    message: `${installed.message} has no running daemon: ${optional}${reason === "" ? "" : ` (${printable(reason)})`}`,
    hint: `start it, or choose another tool with CONTAINER_TOOL=${name === "podman" ? "docker" : "podman"}`,
  };
}

/** Checks Node against the minimum version of kubewright and of the project. */
function checkNode(cwd: string): Check {
  const message = `node ${process.versions.node}`;
  const asked = /^>=\s*(\d+(\.\d+){0,2})$/.exec(readManifest(join(cwd, "package.json"))?.engines?.node ?? "")?.[1];
  const oldest = asked !== undefined && olderThan(asked, oldestNode) ? asked : oldestNode;
  if (!olderThan(oldest)) return { id: "node", status: "ok", message };
  const hint = `install Node ${oldest} or newer`;
  return { id: "node", status: "missing", message: `${message} is too old`, hint };
}

interface Tool {
  readonly name: string;
  readonly args: readonly string[];
  /** Why a required tool is needed. */
  readonly needed?: string;
  /** Why an optional tool is useful; its absence is only a warning. */
  readonly optional?: string;
  readonly hint?: string;
}

async function tool(context: CheckContext, { name, args, needed, optional, hint }: Tool): Promise<Check> {
  const { failed, stdout, inside, problem } = await ask(context, name, ...args);
  if (inside !== undefined) {
    const message = `${printable(name)} not checked: it was found only inside this project, at ${displayPath(inside, context.cwd)}`;
    return { id: name, status: "notice", message, hint: "doctor doesn't run programs from the project" };
  }
  if (!failed)
    return { id: name, status: "ok", message: `${name} ${/(?<!\d)\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? ""}`.trim() };
  if (problem !== undefined) {
    const status = optional === undefined && problem !== silence ? "missing" : "notice";
    const message = `${printable(name)} not checked: it ${problem}`;
    return { id: name, status, message, hint: `run ${[name, ...args].map(printable).join(" ")} to see why` };
  }
  return {
    id: name,
    status: optional === undefined ? "missing" : "notice",
    message: `${name} not found: ${optional ?? needed}`,
    hint: hint ?? `install ${name}, or add its directory to PATH`,
  };
}

function checkTestServers({ env }: CheckContext): Check {
  const hint = "download them with npx setup-envtest use";
  const given = env.KUBEBUILDER_ASSETS;
  if (given !== undefined && given !== "") {
    return existsSync(given)
      ? { id: "envtest", status: "ok", message: `etcd and kube-apiserver for tests in ${given}` }
      : { id: "envtest", status: "notice", message: `KUBEBUILDER_ASSETS=${given}: no such directory`, hint };
  }
  const directory = testServers(env);
  return directory === undefined
    ? { id: "envtest", status: "notice", message: "etcd and kube-apiserver for tests not found", hint }
    : { id: "envtest", status: "ok", message: `etcd and kube-apiserver for tests in ${directory}` };
}
