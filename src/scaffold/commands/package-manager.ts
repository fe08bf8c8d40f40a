import { readJson } from "../../yaml/json.ts";
import type { PlanBuilder } from "../plan/plan.ts";
import { printedLike } from "../text/json-style.ts";

/** The package manager that started the CLI, and that installs the project's packages. */
export interface PackageManager {
  readonly name: "npm" | "pnpm" | "yarn" | "bun";
  /** Such as `10.34.8`; undefined if it is unknown. */
  readonly version: string | undefined;
}

const linker = "nodeLinker: node-modules";

/**
 * Adds the settings that pnpm or Yarn need to install a new project in the same way everywhere. They have no pristine
 * copies, so that `upgrade` doesn't change them.
 */
export function settlePackageManager(plan: PlanBuilder, { name, version }: PackageManager): void {
  if (version === undefined || (name !== "pnpm" && name !== "yarn")) return;
  const text = plan.text("package.json") ?? "{}";
  const manifest = readJson(text) as Record<string, unknown>;
  const isModernYarn = name === "yarn" && Number.parseInt(version, 10) > 1;
  // Otherwise Corepack, which runs it in the image build and workflows, would use the newest version.
  const settings = manifest.packageManager === undefined ? { packageManager: `${name}@${version}` } : {};
  plan.artifact("package.json", printedLike(text, { ...manifest, ...settings }));
  if (isModernYarn) linkIntoDirectory(plan);
}

/** Yarn's default has no node_modules/.bin, where make and the commands look for programs. */
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
