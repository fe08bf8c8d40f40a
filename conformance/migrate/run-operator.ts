import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { printYaml } from "@kubewright/cel/yaml";
import { run } from "../../scripts/lib/run.mjs";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { apiserverProgram } from "../../scripts/test-support/scaffold.ts";
import { coreKindTable } from "../../src/cli/models/core-kinds.ts";
import { readProject } from "../../src/project/project-file.ts";
import { type CoreKinds, completeModel } from "../../src/project/target.ts";
import { filesBelow } from "../../src/scaffold/files/files-below.ts";
import { readValues } from "../../src/yaml/values.ts";

/** The result of running a migrated operator with the samples of the Go project. */
export interface RunResult {
  /** `3 samples`, or what failed. */
  readonly cell: string;
  readonly isGood: boolean;
  /** Error lines of the log, refused samples, and samples that weren't reconciled; empty if all is well. */
  readonly text: string;
}

/** An object of a sample. */
export interface SampleObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Milliseconds until a sample must be reconciled. Conversions of the first objects take longest. */
const patience = 120_000;

/** Reads the objects in the samples of a project, without those that have no name. */
export function sampleObjects(project: string): SampleObject[] {
  const files = filesBelow(join(project, "config/samples"), "", (name) => !name.startsWith("."));
  return files
    .filter((path) => /\.ya?ml$/.test(path) && !/(^|\/)kustomiz/.test(path))
    .sort()
    .flatMap((path) => readValues(readFileSync(join(project, "config/samples", path), "utf8")))
    .filter(isObject);
}

/** Returns objects without repetitions, of which only the last one stays. */
function distinct(objects: readonly SampleObject[]): SampleObject[] {
  return [
    ...new Map(
      objects.map((sampleObject) => [
        `${sampleObject.apiVersion} ${sampleObject.kind} ${sampleObject.metadata.name}`,
        sampleObject,
      ]),
    ).values(),
  ];
}

const isObject = (value: unknown): value is SampleObject => {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<SampleObject>;
  return apiVersion !== undefined && kind !== undefined && metadata?.name !== undefined;
};

/** Returns the objects that a controller of the project reconciles, as `Kind namespace/name`. */
export function reconciled(projectText: string, samples: readonly SampleObject[], coreKinds: CoreKinds): string[] {
  const project = readProject(projectText);
  if ("message" in project) throw new Error(project.message);
  const kinds = new Map(
    project.resources
      .filter(({ controller, controllers }) => controller === true || controllers !== undefined)
      .map((entry) => completeModel(entry, coreKinds))
      .map((model) => [`${model.qualifiedGroup} ${model.kind}`, model.namespaced]),
  );
  return samples.flatMap(({ apiVersion, kind, metadata: { name, namespace = "default" } }) => {
    const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
    const namespaced = kinds.get(`${group} ${kind}`);
    return namespaced === undefined ? [] : [`${kind} ${namespaced ? `${namespace}/` : ""}${name}`];
  });
}

/** Errors that the samples cause in the Go project too: its CRDs and the built-in kinds are the same. */
const ofSchema = /no matches for kind|is invalid: | cannot be handled as a /;

/** Returns the object of a line that a scaffolded reconciler logs, as `Kind namespace/name`. */
export function reconciledIn(line: string): string | undefined {
  const { msg, controllerKind, namespace, name } = parsed(line) ?? {};
  if (msg !== "Reconciling") return undefined;
  return `${controllerKind} ${namespace ? `${namespace}/` : ""}${name}`;
}

/** Whether a line of the log reports an error, or isn't a line of the log. */
export function isErrorLine(line: string): boolean {
  const level = parsed(line)?.level;
  return level === undefined || !["debug", "info", "warn"].includes(String(level));
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Builds a migrated operator, and runs it on the embedded API server with the CRDs of the new project and the samples of the Go
 * project, until each sample with a controller was reconciled.
 *
 * @param go - the Go project
 * @param ts - the migrated project, with its packages
 * @param work - a directory for files
 */
export async function runOperator(go: string, ts: string, work: string): Promise<RunResult> {
  const built = await run("npm", ["run", "build"], { cwd: ts });
  if (built.code !== 0) return failed("not built", [built.output.slice(-4000)]);
  const kubeconfig = join(work, "kubeconfig");
  rmSync(kubeconfig, { force: true });
  const server = new Program("server", [apiserverProgram, "--kubeconfig", kubeconfig]);
  const operators: Program[] = [];
  try {
    await server.line((line) => line.trim() === kubeconfig);
    const kubectl = (...args: string[]) => run("kubectl", ["--kubeconfig", kubeconfig, ...args], { cwd: work });
    const crds = await kubectl("apply", "--server-side", "-f", join(ts, "config/crd/bases"));
    if (crds.code !== 0) return failed("CRDs refused", [crds.output]);
    await kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
    const port = String(await freePort());
    const operator = new Program("operator", operatorArgs(kubeconfig, port), ts);
    operators.push(operator);
    await operator.line((line) => parsed(line)?.msg === "Starting manager");
    // The project's own samples last, because those of the Go project may be of older versions of the API.
    const ours = sampleObjects(ts);
    const samples = distinct([...sampleObjects(go), ...ours]);
    return await applySamples(samples, { kubectl, operator, ts, work, ours: new Set(ours) });
  } catch (error) {
    const lines = operators.flatMap(({ lines }) => lines);
    return failed("no", [String(error), ...lines.slice(-20)]);
  } finally {
    for (const program of [...operators, server]) await program.end();
  }
}

const operatorArgs = (kubeconfig: string, port: string): string[] => [
  "dist/main.js",
  ...["--kubeconfig", kubeconfig, "--zap-log-level=debug", "--zap-encoder=json", "--health-probe-bind-address=0"],
  ...[`--webhook-port=${port}`, `--webhook-local-url=https://127.0.0.1:${port}`],
];

interface Running {
  readonly kubectl: (...args: string[]) => Promise<{ code: number; output: string }>;
  readonly operator: Program;
  readonly ts: string;
  readonly work: string;
  /** The samples of the new project. */
  readonly ours: ReadonlySet<SampleObject>;
}

async function applySamples(
  samples: readonly SampleObject[],
  { kubectl, operator, ts, work, ours }: Running,
): Promise<RunResult> {
  const namespaces = new Set(samples.flatMap(({ metadata }) => metadata.namespace ?? []));
  for (const name of namespaces) await kubectl("create", "namespace", name);
  const problems: string[] = [];
  const warnings: string[] = [];
  const accepted: SampleObject[] = [];
  mkdirSync(work, { recursive: true });
  for (const sample of samples) {
    const file = join(work, "sample.yaml");
    writeFileSync(file, printYaml(sample));
    // Samples of public projects have fields that their own CRDs don't have.
    const { code, output } = await kubectl("apply", "--validate=warn", "-f", file);
    if (output.includes("unknown field")) warnings.push(output);
    if (code === 0) accepted.push(sample);
    else if (ofSchema.test(output) && !ours.has(sample)) warnings.push(output);
    else problems.push(`refused: ${sample.kind} ${sample.metadata.name}: ${output}`);
  }
  const wanted = new Set(reconciled(readFileSync(join(ts, "PROJECT"), "utf8"), accepted, await coreKindTable()));
  for (const name of wanted) {
    await operator
      .line((line) => reconciledIn(line) === name)
      .catch((error) => problems.push(`not reconciled: ${name}: ${error}`));
  }
  const code = await operator.end();
  if (code !== 0) problems.push(`the operator ended with ${code}`);
  problems.push(...operator.lines.filter((line) => line !== "" && isErrorLine(line)));
  const cell = `${accepted.length} of ${samples.length} samples, ${wanted.size} reconciled`;
  const isGood = problems.length === 0;
  return { cell: isGood ? cell : `no: ${cell}`, isGood, text: [...problems, ...warnings].join("\n") };
}

const failed = (cell: string, problems: readonly string[]): RunResult => ({
  cell,
  isGood: false,
  text: problems.join("\n"),
});

/** A running Node program, whose lines of output are collected. */
class Program {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #ended: Promise<number>;
  #listeners = new Set<() => void>();

  constructor(name: string, args: readonly string[], cwd?: string) {
    this.#name = name;
    this.#child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], ...(cwd && { cwd }) });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", (line) => this.#add(line));
    }
    this.#ended = new Promise((resolve) =>
      this.#child.once("close", (code, signal) => {
        resolve(signal === null ? (code ?? 1) : 1);
        for (const listener of this.#listeners) listener();
      }),
    );
  }

  #add(line: string): void {
    this.lines.push(line);
    for (const listener of this.#listeners) listener();
  }

  /** Waits for a line, also among earlier ones. */
  line(matches: (line: string) => boolean): Promise<void> {
    let seen = 0;
    return new Promise((resolve, reject) => {
      const done = (end: () => void) => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        end();
      };
      const look = () => {
        while (seen < this.lines.length) if (matches(this.lines[seen++] ?? "")) return done(resolve);
        if (this.#child.exitCode !== null) done(() => reject(new Error(`the ${this.#name} has ended`)));
      };
      const timer = setTimeout(() => done(() => reject(new Error(`no line within ${patience} ms`))), patience);
      this.#listeners.add(look);
      look();
    });
  }

  /** Ends the program, and returns its exit code. */
  end(): Promise<number> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGTERM");
    return this.#ended;
  }
}
