import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { printYaml } from "@kubewright/cel/yaml";
import { run } from "../../scripts/lib/run.mjs";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { which } from "../../scripts/test-support/tools.ts";
import { runCli } from "../../src/cli/test-support/run-cli.ts";
import { filesBelow } from "../../src/scaffold/files/files-below.ts";
import { readGoProject } from "../../src/scaffold/migrate/go-project.ts";
import type { Generations } from "../../src/scaffold/migrate/makefile.ts";
import { readValues } from "../../src/yaml/values.ts";
import { cellOf, compare, documentsIn, documentsOf, isSame } from "./compare.ts";
import { externalKinds, externalSources } from "./external-types.ts";
import { copyProject, type GoCheckout, left } from "./projects.ts";
import { type Generator, type Reference, runReference } from "./reference.ts";
import { runOperator } from "./run-operator.ts";

/** The result of migrating a project, a row of the table. */
export interface Row {
  readonly name: string;
  readonly kinds: number;
  /** By column, such as `CRDs` or `tsc`. */
  readonly cells: Readonly<Record<string, string>>;
  /** Whether everything is the same and passes. */
  readonly isGood: boolean;
  /** Details, one paragraph each. */
  readonly details: readonly string[];
}

export interface TryOptions {
  /** The path of controller-gen; undefined to compare with the checked-in manifests. */
  readonly tool: string | undefined;
  /** A directory for all files of the project. */
  readonly work: string;
  /** A directory for installed packages, which all projects share. */
  readonly store: string;
  /** The last step. */
  readonly until: "manifests" | "lint" | "test" | "run";
}

/** The name for the Lease if `migrate` asks for it. */
const answeredLease = "asked.example.com";
const usualOutput: Readonly<Record<Generator, string>> = {
  crd: "config/crd/bases",
  rbac: "config/rbac",
  webhook: "config/webhook",
};
const ourFiles: Readonly<Record<Generator, RegExp>> = {
  crd: /./,
  rbac: /^role\.yaml$/,
  webhook: /^manifests\.yaml$/,
};

/** Migrates a copy of a project, and compares it with the Go project. */
export async function tryProject(checkout: GoCheckout, options: TryOptions): Promise<Row> {
  const { name, kinds } = checkout;
  const work = join(options.work, name);
  const [go, ts] = [join(work, "go"), join(work, "ts")];
  for (const path of [go, ts]) rmSync(path, { recursive: true, force: true });
  copyProject(checkout.directory, go);
  mkdirSync(ts, { recursive: true });
  const details: string[] = [];
  const cells: Record<string, string> = {};
  const { generations } = readGoProject(go, name);
  const reference =
    options.tool === undefined ? undefined : await runReference(options.tool, go, generations, join(work, "reference"));
  for (const [generator, output] of reference?.failures ?? []) details.push(`controller-gen ${generator}: ${output}`);
  if (reference !== undefined) bringUpToDate(go, generations, reference);

  const { end, asked } = await migrate(go, ts);
  details.push(`scaffold migrate ended with ${end.code}:\n${end.stderr}`);
  cells.migrate = end.code === 0 ? (asked.length === 0 ? "yes" : `asked: ${asked.join(", ")}`) : "refused";
  if (end.code !== 0) return { name, kinds, cells, isGood: false, details };
  cells["by hand"] = String(end.stderr.split("\n").filter((line) => line !== "").length);

  const manifests = await runCli(ts, ["manifests"]);
  cells.generate = passed(manifests.code);
  details.push(`scaffold manifests ended with ${manifests.code}:\n${manifests.stdout}${manifests.stderr}`);
  let isGood = manifests.code === 0;
  for (const generator of ["crd", "rbac", "webhook"] as const) {
    const { cell, isEqual, text } = await compareOutput(
      generator,
      { go, ts, work },
      generations,
      reference,
      end.stderr,
    );
    cells[{ crd: "CRDs", rbac: "role", webhook: "webhooks" }[generator]] = cell;
    isGood &&= isEqual;
    if (text !== "") details.push(text);
  }
  if (options.until === "manifests") return { name, kinds, cells, isGood, details };
  await link(ts, options.store);
  if (options.until === "run") {
    const ran = await runOperator(go, ts, work);
    cells.run = ran.cell;
    return { name, kinds, cells, isGood: isGood && ran.isGood, details: [...details, `run: ${ran.cell}\n${ran.text}`] };
  }
  // migrate does this after it has installed the packages.
  const format = await run("npm", ["run", "fmt"], { cwd: ts });
  if (format.code !== 0) details.push(`format ended with ${format.code}:\n${format.output.slice(-2000)}`);
  const kustomize = await run("kubectl", ["kustomize", "config/default"], { cwd: ts });
  const checks: [string, number, string][] = [["kustomize", kustomize.code, kustomize.stderr]];
  for (const [column, script] of [
    ["tsc", "typecheck"],
    ["lint", "lint"],
    ["test", "test"],
  ] as const) {
    if (column === "test" && options.until !== "test") continue;
    // The manifests are generated already.
    const args = column === "test" ? ["exec", "--", "vitest", "run"] : ["run", script];
    const { code, output } = await run("npm", args, { cwd: ts });
    checks.push([column, code, output]);
  }
  for (const [column, code, output] of checks) {
    cells[column] = passed(code);
    isGood &&= code === 0;
    if (code !== 0) details.push(`${column} ended with ${code}:\n${output.slice(-6000)}`);
  }
  return { name, kinds, cells, isGood, details };
}

const passed = (code: number): string => (code === 0 ? "yes" : "no");

/** Replaces the manifests in the Go project with those of the reference, as `make manifests` does. */
function bringUpToDate(go: string, generations: Generations, reference: Reference): void {
  for (const generator of reference.called) {
    if (reference.failures.has(generator)) continue;
    const to = join(go, generations[generator]?.output ?? usualOutput[generator]);
    const from = reference.directoryOf(generator);
    if (!to.startsWith(`${go}/`) || !existsSync(from)) continue;
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) cpSync(join(from, name), join(to, name));
  }
}

/** Runs `scaffold migrate`, and answers its questions for packages of external types and the name of the Lease. */
async function migrate(go: string, ts: string) {
  const asked: string[] = [];
  const flags: string[] = [];
  for (;;) {
    const end = await runCli(ts, ["migrate", go, "--fetch-deps=false", ...flags]);
    const apis = externalKinds(end.stderr);
    if (end.code !== 0 && apis.length > 0 && !asked.includes("types")) {
      asked.push("types");
      flags.push("--external-apis", apis.map((api) => `${api}=external-types/${api}`).join(","));
    } else if (end.code !== 0 && end.stderr.includes("--leader-election-id") && !asked.includes("Lease")) {
      asked.push("Lease");
      flags.push("--leader-election-id", answeredLease);
    } else return { end, asked };
  }
}

const approval = "api-approved.kubernetes.io";

interface Places {
  readonly go: string;
  readonly ts: string;
  readonly work: string;
}

async function compareOutput(
  generator: Generator,
  { go, ts, work }: Places,
  generations: Generations,
  reference: Reference | undefined,
  notes: string,
): Promise<{ cell: string; isEqual: boolean; text: string }> {
  const isKnown = reference !== undefined && !reference.failures.has(generator);
  // They contain the output of the reference now, and files that are written by hand or come from other projects.
  const from = join(go, generations[generator]?.output ?? usualOutput[generator]);
  const read = (directory: string, files: RegExp) => {
    const documents = documentsIn(directory, files);
    // Other tools may have formatted the checked-in files.
    return isKnown ? documents : new Map([...documents].map(([key, text]) => [key, formatted(text)]));
  };
  const fileName = /[:,]fileName=([\w.-]+)/.exec(generations[generator]?.options ?? "")?.[1];
  const theirFiles = fileName === undefined ? ourFiles[generator] : new RegExp(`^${fileName.replaceAll(".", "\\.")}$`);
  const [theirs, ours] = [read(from, theirFiles), read(join(ts, usualOutput[generator]), ourFiles[generator])];
  if (generator === "crd") {
    // Files of other projects, which controller-gen doesn't generate here.
    const generated = isKnown ? documentsIn(reference.directoryOf(generator), /./) : theirs;
    for (const key of [...theirs.keys()].filter((key) => !generated.has(key))) {
      theirs.delete(key);
      ours.delete(key);
    }
    // CRDs in other directories, such as those of a second program.
    for (const [key, text] of isKnown || theirs.size === 0 ? documentsAnywhere(go) : []) {
      const own = ours.get(key);
      if (own !== undefined && !theirs.has(key)) theirs.set(key, formatted(text) === formatted(own) ? own : text);
    }
  }
  // migrate adds the approval that kustomize adds in the Go project, with a note.
  for (const [key, text] of ours) {
    if (!theirs.get(key)?.includes(approval))
      ours.set(key, text.replace(new RegExp(`^ {4}${approval}: .*\\n`, "m"), ""));
  }
  const comparison = compare(theirs, ours);
  // A scaffolded placeholder stands for a manifest that the Go project doesn't generate.
  const isPlaceholder = generations[generator] === undefined && theirs.size === 0;
  // If controller-gen reads no role markers, migrate copies those of other packages, with a note.
  const isCopied = generator === "rbac" && theirs.size === 0 && /^the role markers of .* are copied /m.test(notes);
  const isEqual = isSame(comparison) || isPlaceholder || isCopied;
  const differences: string[] = [];
  for (const key of comparison.different) {
    const [a, b] = [join(work, "theirs.yaml"), join(work, "ours.yaml")];
    writeFileSync(a, `${theirs.get(key)}\n`);
    writeFileSync(b, `${ours.get(key)}\n`);
    const { stdout } = await run("git", ["diff", "--no-index", "-U2", a, b], { cwd: work });
    differences.push(`${key}\n${stdout.split("\n").slice(4, 200).join("\n")}`);
  }
  const lines = (word: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${word}: ${names.join(", ")}`];
  return {
    cell: `${cellOf(comparison)}${isCopied ? " (markers outside the paths)" : generations[generator] === undefined ? " (not generated)" : isKnown ? "" : " (no reference)"}`,
    isEqual,
    text: isEqual
      ? ""
      : [
          `${generator}: ${cellOf(comparison)}`,
          ...lines("missing", comparison.missing),
          ...lines("added", comparison.added),
          ...differences,
        ].join("\n"),
  };
}

/** Returns the CRDs anywhere in a Go project; of several copies, the one in a directory with CRDs. */
function documentsAnywhere(go: string): Map<string, string> {
  const isSource = (name: string) => !left.has(name) && !name.startsWith(".");
  const files = filesBelow(go, "", isSource).filter((path) => /\.ya?ml$/.test(path));
  const sorted = files.sort((a, b) => Number(a.includes("/crds/")) - Number(b.includes("/crds/")));
  return new Map(
    sorted.flatMap((path) => {
      const text = readFileSync(join(go, path), "utf8");
      return text.includes("kind: CustomResourceDefinition") ? [...documentsOf(text)] : [];
    }),
  );
}

/** Formats a YAML document. A template of a chart stays as it is. */
function formatted(text: string): string {
  try {
    return readValues(text)
      .map((value) => printYaml(value))
      .join("---\n");
  } catch {
    return text;
  }
}

/** Adds the packages of a project, and types for its external kinds. */
async function link(ts: string, store: string): Promise<void> {
  const path = join(ts, "package.json");
  const manifest = readFileSync(path, "utf8");
  const { dependencies, ...rest } = JSON.parse(manifest);
  const { "external-types": external, ...published } = dependencies;
  writeFileSync(path, JSON.stringify({ ...rest, dependencies: published }));
  await linkPackages(ts, store);
  writeFileSync(path, manifest);
  if (external === undefined) return;
  // The shared directory stays as it is.
  const modules = join(ts, "node_modules");
  const shared = readdirSync(modules).map((name) => [name, join(modules, name)] as const);
  const real = realpathSync(modules);
  rmSync(modules);
  mkdirSync(modules);
  for (const [name] of shared) symlinkSync(join(real, name), join(modules, name), "junction");
  for (const [file, text] of externalSources(ts)) {
    mkdirSync(dirname(join(modules, file)), { recursive: true });
    writeFileSync(join(modules, file), text);
  }
}

/** Whether the tools are installed that the script needs besides controller-gen. */
export function missingTools(): string[] {
  return ["kubectl", "git", "npm"].filter((name) => which(name) === undefined);
}
