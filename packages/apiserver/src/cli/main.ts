// The command `kubewright-apiserver`.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { parseFeatureGates } from "../data/feature-gates.ts";
import { type KubernetesVersion, kubernetesVersions } from "../data/versions.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";
import { createAssets } from "./assets.ts";

interface Flags {
  port: number;
  host: string;
  data?: string;
  kubeconfig?: string;
  crd: string[];
  workloads?: boolean;
  authorization: "rbac" | "always-allow";
  kubernetesVersion?: KubernetesVersion;
  featureGates: string[];
}

const notice = "kubewright-apiserver is for development and tests, never for production";

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("must be a number from 0 to 65535.");
  return port;
}

const versionOption = (): Option =>
  new Option("--kubernetes-version <version>", "whose API is served; by default the newest").choices(
    kubernetesVersions,
  );

function program(): Command {
  const command = new Command("kubewright-apiserver")
    .description("Runs a Kubernetes API server that needs only Node.js, for development and tests.")
    .argument("[command...]", "runs this command with KUBECONFIG, and ends with it")
    .usage("[options] [-- COMMAND ...]")
    .option("--port <port>", "port to listen on; 0 for a free one", portOf, 0)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--data <file>", "file that keeps the objects between runs; without it they are lost at the end")
    .option("--kubeconfig <file>", "where the kubeconfig of an administrator is written; by default a temporary file")
    .option(
      "--crd <path>",
      "file or directory with CustomResourceDefinitions; can be repeated",
      (path: string, paths: string[]) => [...paths, path],
      [],
    )
    .option("--workloads", "simulates Deployments, Jobs, Services and other workloads")
    .addOption(
      new Option("--authorization <mode>", "who may do what").choices(["rbac", "always-allow"]).default("rbac"),
    )
    .addOption(versionOption())
    .option(
      "--feature-gates <gates>",
      "features to switch on or off, such as ShardedListAndWatch=true; can be repeated",
      (gates: string, all: string[]) => [...all, gates],
      [],
    )
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text) })
    .action((words: string[], flags: Flags) => run(words, flags));
  command
    .command("assets")
    .description(
      "Creates a directory with the executables etcd and kube-apiserver for test environments, and prints its path:\nKUBEBUILDER_ASSETS=$(npx kubewright-apiserver assets)",
    )
    .argument("[directory]", "where the executables are created; by default a temporary directory")
    .addOption(versionOption())
    .action((directory: string | undefined, _flags: unknown, assets: Command) => {
      process.stdout.write(`${createAssets(directory, assets.optsWithGlobals<Flags>().kubernetesVersion)}\n`);
    });
  return command;
}

async function run(words: readonly string[], flags: Flags): Promise<void> {
  const { port, host, data, crd, workloads, authorization, kubernetesVersion, featureGates } = flags;
  const temporary = flags.kubeconfig === undefined ? mkdtempSync(join(tmpdir(), "kubewright-apiserver-")) : undefined;
  const kubeconfig = resolve(flags.kubeconfig ?? join(temporary as string, "kubeconfig"));
  let server: ApiServer | undefined;
  try {
    checkKubeconfig(kubeconfig);
    server = await startApiServer({
      host,
      port,
      authorization,
      crdDirectoryPaths: crd,
      featureGates: parseFeatureGates(featureGates),
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
      ...(data === undefined ? {} : { dataFile: data }),
      ...(workloads ? { controllers: { workloads: true } } : {}),
    });
    writeKubeconfig(kubeconfig, server.kubeconfig());
    process.stderr.write(`${notice}\n`);
    if (words.length === 0) {
      process.stdout.write(`${kubeconfig}\n`);
      await new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
      });
    } else {
      process.exitCode = await runCommand(words, kubeconfig);
    }
  } finally {
    await server?.stop();
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

/** Refuses to replace a kubeconfig of the user. */
function checkKubeconfig(path: string): void {
  if (existsSync(path) && !readFileSync(path, "utf8").includes('"current-context": "kubewright"')) {
    throw new Error(`--kubeconfig ${path}: exists and was written by another program\nhint: name a new file`);
  }
}

function writeKubeconfig(path: string, text: string): void {
  const fresh = join(dirname(path), `.kubeconfig-${process.pid}`);
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, path);
}

/** Runs a command until it ends. Signals reach it, and this process waits for its end. */
function runCommand([name, ...args]: readonly string[], kubeconfig: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(name as string, args, {
      stdio: "inherit",
      env: { ...process.env, KUBECONFIG: kubeconfig },
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
    child.once("error", (error: NodeJS.ErrnoException) => {
      reject(new Error(error.code === "ENOENT" ? `${name}: command not found` : `${name}: ${error.message}`));
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

program()
  .parseAsync()
  .then(() => process.exit())
  .catch((error: unknown) => {
    if (!(error instanceof CommanderError)) {
      process.stderr.write(`error: ${(error as Error).message.replace("\nhint:", "\n  hint:")}\n`);
      process.exit(1);
    }
    process.exit(error.exitCode === 0 ? 0 : 2);
  });
