import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { JsonObject } from "@kubewright/cel/json";
import { readCrd } from "../../src/scaffold/from-crd/read.ts";
import { namesProblem } from "../../src/scaffold/from-crd/resource.ts";
import { roundTrip } from "../../src/scaffold/from-crd/test-support/round-trip.ts";
import { YamlError } from "../../src/yaml/budget.ts";
import { readValues } from "../../src/yaml/values.ts";
import { ourVerdictOnDefinition } from "../api-schemas/compare.ts";

/** A CustomResourceDefinition in a file. */
export interface FoundCrd {
  /** The directory at the top, such as the name of a repository. */
  readonly source: string;
  readonly file: string;
  readonly name: string;
  /** The document, as JSON. */
  readonly text: string;
  /** Why the embedded API server refuses it; empty if it accepts it. */
  readonly refusals: readonly string[];
}

/** The result of importing a CRD and generating it from the types. */
export interface Verdict {
  readonly verdict: "same" | "listed" | "not";
  /** The notes for `listed`; for `not`, the differences without a note, or why it was refused. */
  readonly details: readonly string[];
}

/** Returns the CRDs below `CRDS_DIR`, only of the source that the command line names, if any. Without the variable, ends the process. */
export function crdsOfCommand(): FoundCrd[] {
  const directory = process.env.CRDS_DIR;
  if (directory === undefined || directory === "") {
    console.log("skipped conformance/from-crd: set CRDS_DIR to a directory with CustomResourceDefinitions");
    process.exit(0);
  }
  return crdsBelow(directory, process.argv[2]);
}

/**
 * Returns the CRDs in all YAML files below a directory, each different one per source once. Skips files that aren't YAML, such
 * as templates of charts.
 *
 * @param only the only source to search
 */
export function crdsBelow(directory: string, only?: string): FoundCrd[] {
  const crds = new Map<string, FoundCrd>();
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) => /\.ya?ml$/.test(path));
  for (const path of files.sort()) {
    const source = path.split(sep)[0] ?? "";
    if (only !== undefined && source !== only) continue;
    for (const text of crdsIn(readFileSync(join(directory, path), "utf8"))) {
      const key = `${source} ${text}`;
      if (crds.has(key)) continue;
      const { metadata } = JSON.parse(text) as { metadata?: JsonObject };
      const name = String(metadata?.name);
      const file = relative(directory, join(directory, path));
      crds.set(key, { source, file, name, text, refusals: refusalsOf(text) });
    }
  }
  return [...crds.values()];
}

/** Returns the CRDs in a YAML text, as JSON. A text that isn't YAML, such as a template of a chart, has none. */
export function crdsIn(yaml: string): string[] {
  try {
    const documents = readValues(yaml) as JsonObject[];
    return documents
      .filter(({ kind, apiVersion }) => kind === "CustomResourceDefinition" && apiVersion === "apiextensions.k8s.io/v1")
      .map((document) => JSON.stringify(document, (_, value) => (typeof value === "bigint" ? Number(value) : value)));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return [];
  }
}

/** Returns why the embedded API server refuses a CRD, given as JSON; empty if it accepts it. */
export function refusalsOf(text: string): string[] {
  try {
    return ourVerdictOnDefinition(JSON.parse(text) as JsonObject).errors;
  } catch (error) {
    // Values of wrong types, which the API server refuses when it decodes them.
    return [String(error)];
  }
}

/** Imports a CRD, generates it again, and compares both. */
export async function tryCrd({ text, file }: Pick<FoundCrd, "text" | "file">): Promise<Verdict> {
  const crd = readCrd(text, file);
  if ("message" in crd) return { verdict: "not", details: [crd.message] };
  const problem = namesProblem(crd);
  if (problem !== undefined) return { verdict: "not", details: [problem.message] };
  const { notes, unlisted, differences, diagnostics } = await roundTrip(crd);
  const errors = diagnostics.filter((line) => line.startsWith("error"));
  if (errors.length > 0) return { verdict: "not", details: errors };
  if (unlisted.length > 0) return { verdict: "not", details: unlisted };
  return differences.length === 0 ? { verdict: "same", details: [] } : { verdict: "listed", details: notes };
}
