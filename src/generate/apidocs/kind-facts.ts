import { join } from "node:path";
import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { isObject } from "../../kubernetes/json.ts";
import { readValues } from "../../yaml/values.ts";
import type { Run } from "../run/run.ts";
import type { KindFacts } from "./model.ts";

const sampleDirectory = "config/samples";

/** A sample in the project. */
export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly text: string;
}

/** Reads the samples of a project. Files that aren't valid are skipped, because other commands report them. */
export function readSamples({ files, request }: Run): Sample[] {
  const directory = join(request.cwd, sampleDirectory);
  return yamlFiles(directory, files).flatMap((name) => {
    try {
      return samplesIn(files.read(join(directory, name)));
    } catch {
      return [];
    }
  });
}

function yamlFiles(directory: string, files: Run["files"]): readonly string[] {
  try {
    return files.yamlFiles(directory);
  } catch {
    return [];
  }
}

function samplesIn(text: string): Sample[] {
  return text
    .replaceAll("\r\n", "\n")
    .split(/^---[ \t]*$/m)
    .flatMap((part) => {
      const [value] = readValues(part);
      if (!isObject(value) || typeof value.apiVersion !== "string" || typeof value.kind !== "string") return [];
      const lines = part.split("\n").filter((line) => !line.startsWith("# yaml-language-server:"));
      return [{ apiVersion: value.apiVersion, kind: value.kind, text: lines.join("\n").trim() }];
    });
}

/** Returns the facts about a version of a kind. */
export function kindFacts(
  { spec }: CustomResourceDefinition,
  version: CrdVersion,
  samples: readonly Sample[],
): KindFacts {
  const { names, scope, group } = spec;
  const apiVersion = group === "" ? version.name : `${group}/${version.name}`;
  const sample = samples.find((sample) => sample.apiVersion === apiVersion && sample.kind === names.kind);
  return {
    name: names.kind,
    resource: group === "" ? names.plural : `${names.plural}.${group}`,
    isNamespaced: scope === "Namespaced",
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    subresources: Object.keys(version.subresources ?? {}),
    columns: (version.additionalPrinterColumns ?? []).map(({ name, jsonPath, description, priority = 0 }) => ({
      name,
      path: jsonPath,
      ...(description === undefined ? {} : { description }),
      isWide: priority > 0,
    })),
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    isServed: version.served,
    isStorage: version.storage,
    ...(version.deprecated === true ? { deprecated: version.deprecationWarning ?? "" } : {}),
    ...(sample === undefined ? {} : { sample: sample.text }),
  };
}
