import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { KubernetesObject } from "../../api/index.ts";
import { type CRD, readCRDs } from "../../manifests/crds.ts";
import { readPolicies } from "../../manifests/policies.ts";
import type { OldVersion, SimulateOptions } from "../options/options.ts";
import type { Program } from "../programs/program.ts";
import { newName, type Version } from "../upgrade/version.ts";
import { isOperator } from "../world/state.ts";
import { type CapturedOptions, captureOptions } from "./captured-options.ts";
import { loadProgram } from "./load-program.ts";
import { type ResolvedVersion, resolveVersions } from "./resolve-versions.ts";
import { UsageProblem } from "./usage-problem.ts";

/** The simulation for which old versions are loaded. */
export interface SimulationPlace {
  /** The file with the test, empty if it is unknown. */
  readonly file: string;
  /** The name of the test. */
  readonly test: string;
  /** The number of the simulation in the test, from 0. */
  readonly position: number;
  /** The directory of the project. */
  readonly root: string;
}

/** Old versions, and facts for users about them. */
export interface OldVersions {
  readonly versions: readonly Version[];
  readonly notes: readonly string[];
  /** Whether an old version doesn't have the simulation, which therefore doesn't run. */
  readonly isSkipped: boolean;
  /** The program of the new version, which runs in place of its function. */
  readonly program?: Program;
}

/** The old versions of the command, which replace those of the options. */
export interface CommandVersions {
  readonly from?: readonly ResolvedVersion[];
  /** Whether programs run in place of functions. */
  readonly program?: boolean;
}

/**
 * Loads the old versions of a simulation.
 *
 * @param options - the options of the simulation
 * @param command - the versions of the command
 * @param place - the simulation
 * @throws UsageProblem if a version isn't found, or can't be loaded
 * @throws Error for invalid options
 */
export async function loadOldVersions(
  options: SimulateOptions,
  command: CommandVersions,
  place: SimulationPlace,
): Promise<OldVersions> {
  const given: readonly (string | OldVersion | ResolvedVersion)[] = command.from ?? [options.from ?? []].flat();
  const versions: Version[] = [];
  const notes: string[] = [];
  let isSkipped = false;
  const all: (OldVersion | ResolvedVersion)[] = [];
  for (const [index, one] of given.entries()) {
    const [found] = typeof one === "string" ? await resolveVersions([one], [], place.root) : [one];
    if (!found) throw new Error(`from[${index}]: must be a revision, a directory, or a version with an operator`);
    all.push(found);
  }
  // Both versions must register the same controllers, so all of them are programs if one is.
  const arePrograms = command.program || all.some((one) => "kind" in one && one.kind === "bundle");
  for (const [index, found] of all.entries()) {
    if ("operator" in found) {
      if (arePrograms) throw new UsageProblem(`from[${index}]: a function can't run beside a program`);
      versions.push(ofFunction(found, options, given.length === 1 ? "old" : `old${index + 1}`));
      continue;
    }
    const captured = found.kind === "bundle" ? undefined : await captureOptions(found, place, place.root);
    if (!captured && !arePrograms) {
      isSkipped = true;
      notes.push(
        `${basename(place.file)}: ${place.test}: ${found.name} doesn't have this simulation, so it was skipped`,
      );
      continue;
    }
    const note = found.packages === undefined && found.kind !== "bundle" ? lockNote(found, place.root) : undefined;
    if (note !== undefined) notes.push(note);
    const { name, kind, commit } = found;
    versions.push({
      ...{ name, kind },
      operator: captured?.options.operator ?? options.operator,
      definitions: definitionsOf(found, captured?.options ?? usualDefinitions(found)) ?? definitionsOfNew(options),
      policies: readPolicies(found.directory, captured?.options.policyDirectoryPaths),
      ...(commit === undefined ? {} : { commit }),
      ...(arePrograms
        ? { program: await programOf(found, place.root) }
        : { manager: (captured as CapturedOptions).manager }),
    });
  }
  checkNames(versions);
  if (!arePrograms) return { versions, notes, isSkipped };
  const { root } = place;
  const program = await loadProgram({ name: newName, directory: root, isBundle: false, root, packages: root });
  return { versions, notes, isSkipped, program };
}

function programOf({ name, directory, kind, packages }: ResolvedVersion, root: string): Promise<Program> {
  return loadProgram({ name, directory, isBundle: kind === "bundle", root, packages: packages ?? root });
}

function checkNames(versions: readonly Version[]): void {
  const names = versions.map(({ name }) => name);
  for (const name of names) {
    if (name === newName || !isOperator(name)) throw new UsageProblem(`from: the name ${name} is reserved`);
    if (names.indexOf(name) !== names.lastIndexOf(name)) {
      throw new UsageProblem(`from: two versions have the name ${name}`);
    }
  }
}

function ofFunction(version: OldVersion, options: SimulateOptions, unnamed: string): Version {
  const { name = unnamed, operator, crds, crdDirectoryPaths } = version;
  if (typeof operator !== "function") throw new Error(`from: the operator of ${name} must be a function`);
  const isOwn = crds !== undefined || crdDirectoryPaths !== undefined;
  const definitions = isOwn ? definitionsIn(crdDirectoryPaths ?? [], crds ?? []) : definitionsOfNew(options);
  const policies = readPolicies(".", options.policyDirectoryPaths);
  return { name, kind: "function", operator, definitions, policies };
}

function definitionsOfNew({ crdDirectoryPaths = [], crds = [] }: SimulateOptions): CRD[] {
  return definitionsIn(crdDirectoryPaths, crds);
}

/** Returns where the definitions of a program are whose version doesn't have the simulation. */
function usualDefinitions({ directory }: ResolvedVersion): Pick<SimulateOptions, "crdDirectoryPaths"> {
  const usual = join("config", "crd", "bases");
  return existsSync(join(directory, usual)) ? { crdDirectoryPaths: [usual] } : {};
}

/** Returns the definitions of an old version. Undefined if its simulation has none. */
function definitionsOf(
  { directory, crds: path }: ResolvedVersion,
  { crdDirectoryPaths, crds }: Pick<SimulateOptions, "crdDirectoryPaths" | "crds">,
): CRD[] | undefined {
  if (path !== undefined) return definitionsIn([path], []);
  if (crdDirectoryPaths === undefined && crds === undefined) return undefined;
  return definitionsIn(
    (crdDirectoryPaths ?? []).map((crdDirectoryPath) => join(directory, crdDirectoryPath)),
    crds ?? [],
  );
}

function definitionsIn(crdDirectoryPaths: readonly string[], crds: readonly object[]): CRD[] {
  return readCRDs({ crdDirectoryPaths, crds: crds as KubernetesObject[], errorIfCRDPathMissing: true });
}

/** Describes that an old version was locked with other packages than those with which it runs. */
function lockNote({ name, directory }: ResolvedVersion, root: string): string | undefined {
  const [old, now] = [directory, root].map((one) => join(one, "package-lock.json"));
  if (!old || !now || !existsSync(old) || !existsSync(now)) return undefined;
  const [before, after] = [old, now].map((path) => readFileSync(path, "utf8"));
  if (before === after) return undefined;
  const [was, is] = [before, after].map((text) => runtimeOf(text ?? ""));
  return `${name} runs with the packages of the project: @kubewright/runtime ${is} instead of ${was}`;
}

function runtimeOf(lock: string): string {
  try {
    const { packages } = JSON.parse(lock) as { packages?: Record<string, { version?: string }> };
    return packages?.["node_modules/@kubewright/runtime"]?.version ?? "unknown";
  } catch {
    return "unknown";
  }
}
