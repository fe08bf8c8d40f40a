import type { Random } from "../../scripts/test-support/random.ts";
import type { Options } from "./model.ts";

/** The name of the header file next to the packages, for both tools. */
export const headerName = "header.txt";

/** Generates options for a batch of cases. */
export function inventOptions(random: Random): Options {
  const options: Options = {};
  if (random.chance(0.3)) options.maxDescLen = random.pick([0, 1, 10, 37, 80, 200, -1]);
  if (random.chance(0.4)) options.generateEmbeddedObjectMeta = random.chance(0.8);
  if (random.chance(0.4)) options.allowDangerousTypes = true;
  if (random.chance(0.2)) options.ignoreUnexportedFields = true;
  if (random.chance(0.2)) options.omitToolVersion = true;
  if (random.chance(0.2)) options.deprecatedV1beta1CompatibilityPreserveUnknownFields = random.chance(0.5);
  if (random.chance(0.2)) options.header = "# Copyright YEAR Nobody\n\n";
  if (options.header !== undefined && random.chance(0.7)) options.year = "2031";
  return options;
}

/** Formats the options for the command lines of both tools. */
export function optionText({ header, ...options }: Options): string {
  const parts = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  if (header !== undefined) parts.push(`headerFile=${headerName}`);
  return parts.length === 0 ? "crd" : `crd:${parts.join(",")}`;
}
