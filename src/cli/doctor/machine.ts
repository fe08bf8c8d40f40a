import { existsSync } from "node:fs";
import { join } from "node:path";
import { displayPath } from "../../diagnostics/index.ts";
import { printable } from "../../project/names.ts";
import { packageManager } from "../fetch-dependencies.ts";
import { olderThan, oldestNode } from "../node-version.ts";
import { ask, type Surroundings } from "./ask.ts";
import type { Check } from "./check.ts";
import { lockedManager, readManifest } from "./packages.ts";
import { testServers } from "./test-servers.ts";

/** What the machine has: what every project needs, and what only some commands call. */
export async function checkMachine(surroundings: Surroundings): Promise<Check[]> {
  const { env, cwd } = surroundings;
  const kubectl = env.KUBECTL ?? "kubectl";
  // The project's own calls say which it takes; without a word kubectl has one built in.
  const kustomize = env.KUSTOMIZE?.trim().split(/\s+/)[0];
  return Promise.all([
    checkNode(cwd),
    tool(surroundings, {
      name: lockedManager(cwd) ?? packageManager(env.npm_config_user_agent).name,
      args: ["--version"],
      needed: "packages are installed with it",
    }),
    tool(surroundings, {
      name: kubectl,
      args: ["version", "--client", "-o", "yaml"],
      needed: "make install and make deploy call it",
      hint: "install kubectl from kubernetes.io/docs/tasks/tools",
    }),
    ...(kustomize === undefined || kustomize === kubectl
      ? []
      : [tool(surroundings, { name: kustomize, args: ["version"], needed: "KUSTOMIZE names it" })]),
    tool(surroundings, {
      name: "make",
      args: ["--version"],
      optional: "its targets are npm scripts, too",
      hint: "npm run lists them",
    }),
    tool(surroundings, {
      name: env.CONTAINER_TOOL ?? "docker",
      args: ["--version"],
      optional: "make docker-build calls it",
      hint: "install it, or name another with CONTAINER_TOOL=podman",
    }),
    checkTestServers(surroundings),
  ]);
}

/** Node is held to what the project asks of it, too. */
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
  /** Who needs it, where nothing goes without. */
  readonly needed?: string;
  readonly optional?: string;
  readonly hint?: string;
}

async function tool(surroundings: Surroundings, { name, args, needed, optional, hint }: Tool): Promise<Check> {
  const { failed, stdout, inside } = await ask(surroundings, name, ...args);
  if (inside !== undefined) {
    const message = `${printable(name)} isn't checked: only this project brings it, at ${displayPath(inside, surroundings.cwd)}`;
    return { id: name, status: "notice", message, hint: "doctor runs programs of the machine only" };
  }
  if (!failed)
    return { id: name, status: "ok", message: `${name} ${/\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? ""}`.trim() };
  return {
    id: name,
    status: optional === undefined ? "missing" : "notice",
    message: `${name} is not there: ${optional ?? needed}`,
    hint: hint ?? `install ${name}, or correct PATH`,
  };
}

function checkTestServers({ env }: Surroundings): Check {
  const hint = "npx setup-envtest use gets them";
  const given = env.KUBEBUILDER_ASSETS;
  if (given !== undefined && given !== "") {
    return existsSync(given)
      ? { id: "envtest", status: "ok", message: `etcd and kube-apiserver for tests in ${given}` }
      : { id: "envtest", status: "notice", message: `KUBEBUILDER_ASSETS is ${given}, which isn't there`, hint };
  }
  const directory = testServers(env);
  return directory === undefined
    ? { id: "envtest", status: "notice", message: "etcd and kube-apiserver for tests are not there", hint }
    : { id: "envtest", status: "ok", message: `etcd and kube-apiserver for tests in ${directory}` };
}
