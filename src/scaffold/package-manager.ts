import { readJson } from "../yaml/json.ts";
import { printedLike } from "./json-style.ts";
import type { PlanBuilder } from "./plan.ts";

/** What has started the command line, and installs the project's packages. */
export interface PackageManager {
  readonly name: "npm" | "pnpm" | "yarn" | "bun";
  /** Such as `10.34.8`; undefined where it didn't say. */
  readonly version: string | undefined;
}

const linker = "nodeLinker: node-modules";

/**
 * Leaves in a new project what pnpm or yarn need in order to install it elsewhere as here. It is the project's own from then on: no
 * pristine copy has it, so that `upgrade` lets it be.
 */
export function settlePackageManager(plan: PlanBuilder, { name, version }: PackageManager): void {
  if (version === undefined || (name !== "pnpm" && name !== "yarn")) return;
  const text = plan.text("package.json") ?? "{}";
  const manifest = readJson(text) as Record<string, unknown>;
  // Corepack, by which the image's build and the workflows start it, would else take whatever is the newest.
  if (manifest.packageManager === undefined) {
    plan.artifact("package.json", printedLike(text, { ...manifest, packageManager: `${name}@${version}` }));
  }
  if (name === "yarn" && Number.parseInt(version, 10) > 1) linkIntoDirectory(plan);
}

/** Yarn's own way has no node_modules/.bin, where make and hack/tasks.mjs look for programs. */
function linkIntoDirectory(plan: PlanBuilder): void {
  const file = ".yarnrc.yml";
  const text = plan.text(file);
  if (text === undefined) plan.artifact(file, `${linker}\n`);
  else if (!/^nodeLinker:/m.test(text)) {
    plan.artifact(file, `${text.replace(/\n?$/, "\n")}${linker}\n`);
    plan.note(`${file}: "${linker}" is added, for the project's programs are looked for there`);
  } else if (!/^nodeLinker:\s*["']?node-modules\b/m.test(text)) {
    plan.note(`${file} has another nodeLinker: the project's programs are found with "${linker}" only`);
  }
}
