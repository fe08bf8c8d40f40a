import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { KubernetesObject } from "../../api/index.ts";
import { type CRD, readCRDs } from "../../manifests/crds.ts";
import type { OldVersion, SimulateOptions } from "../options/options.ts";
import { newName, type Version } from "../upgrade/version.ts";
import { isOperator } from "../world/state.ts";
import { captureOptions } from "./captured-options.ts";
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
}

/**
 * Loads the old versions of a simulation.
 *
 * @param options - the options of the simulation
 * @param resolved - the versions of the command, which replace those of the options
 * @param place - the simulation
 * @throws UsageProblem if a version isn't found, or can't be loaded
 * @throws Error for invalid options
 */
export async function loadOldVersions(
  options: SimulateOptions,
  resolved: readonly ResolvedVersion[] | undefined,
  place: SimulationPlace,
): Promise<OldVersions> {
  const given: readonly (string | OldVersion | ResolvedVersion)[] = resolved ?? [options.from ?? []].flat();
  const versions: Version[] = [];
  const notes: string[] = [];
  let isSkipped = false;
  for (const [index, one] of given.entries()) {
    if (typeof one === "object" && "operator" in one) {
      versions.push(ofFunction(one, options, given.length === 1 ? "old" : `old${index + 1}`));
      continue;
    }
    const [found] = typeof one === "string" ? await resolveVersions([one], [], place.root) : [one as ResolvedVersion];
    if (!found) throw new Error(`from[${index}]: must be a revision, a directory, or a version with an operator`);
    const captured = await captureOptions(found.directory, place, place.root);
    if (!captured) {
      isSkipped = true;
      notes.push(
        `${basename(place.file)}: ${place.test}: ${found.name} doesn't have this simulation, so it was skipped`,
      );
      continue;
    }
    const note = lockNote(found, place.root);
    if (note !== undefined) notes.push(note);
    const definitions = definitionsOf(found, captured.options) ?? definitionsOfNew(options);
    const { name, kind, commit } = found;
    const { operator } = captured.options;
    versions.push({ name, kind, operator, definitions, ...(commit === undefined ? {} : { commit }) });
  }
  checkNames(versions);
  return { versions, notes, isSkipped };
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
  return { name, kind: "function", operator, definitions };
}

function definitionsOfNew({ crdDirectoryPaths = [], crds = [] }: SimulateOptions): CRD[] {
  return definitionsIn(crdDirectoryPaths, crds);
}

/** Returns the definitions of an old version. Undefined if its simulation has none. */
function definitionsOf(
  { directory, crds: path }: ResolvedVersion,
  { crdDirectoryPaths, crds }: SimulateOptions,
): CRD[] | undefined {
  if (path !== undefined) return definitionsIn([path], []);
  if (crdDirectoryPaths === undefined && crds === undefined) return undefined;
  return definitionsIn(
    (crdDirectoryPaths ?? []).map((one) => join(directory, one)),
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
