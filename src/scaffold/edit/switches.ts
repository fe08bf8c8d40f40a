import type { Project } from "../../project/project-file.ts";
import { fileOf, type Option, options, partsIn, partsOf } from "../kustomize/options.ts";
import { isOn, switchOff, switchOn } from "../kustomize/switch.ts";
import { readPristine } from "../pristine.ts";
import type { Change } from "../scaffold.ts";
import { ScaffoldError } from "../scaffold-error.ts";
import type { Tree } from "../tree.ts";

/** What an option copies from, and therefore can't be without. */
const needs: Partial<Readonly<Record<Option, Option>>> = {
  "cert-manager": "webhook",
  "metrics-certs": "cert-manager",
};

/** A change of one file. */
export interface FileChange {
  readonly file: string;
  readonly change: Change;
}

/**
 * The changes that switch options of the deployment on and off.
 *
 * @throws ScaffoldError when an option isn't there, or one that stays on needs another that is off
 */
export function switchOptions(
  tree: Tree,
  project: Project,
  wanted: { readonly enable: readonly Option[]; readonly disable: readonly Option[] },
): FileChange[] {
  const on = (option: Option) => {
    const [{ file, parts }] = partsOf(option, project);
    return isOn(tree.readText(file) ?? "", parts);
  };
  for (const option of wanted.enable) {
    requireCertManager(option, project);
    requireParts(tree, option, project);
  }
  const after = new Set(options.filter((option) => wanted.enable.includes(option) || on(option)));
  for (const option of wanted.disable) after.delete(option);
  for (const option of after) {
    if (!wanted.enable.includes(option)) refuseLeftBehind(option, project);
    requireNeeds(option, after, wanted.disable);
  }
  const enabling = wanted.enable
    .flatMap((option) => partsOf(option, project))
    .map((each): FileChange => {
      const { file } = each;
      const fresh = (text: string) => readPristine(tree, file) ?? text;
      return { file, change: (text) => switchOn(text, file, partsIn(text, each), () => fresh(text)) };
    });
  // First off, then on: a key that both have stays on.
  return [...switchOptionsOff(project, wanted.disable), ...enabling];
}

/** The changes that switch options off, and nothing else: what switches them on again comes after. */
export function switchOptionsOff(project: Project, names: readonly Option[]): FileChange[] {
  return names
    .flatMap((option) => partsOf(option, project))
    .map(({ file, parts }) => ({ file, change: (text) => switchOff(text, parts) }));
}

/** The files that an option brings into the deployment must be there. */
function requireParts(tree: Tree, option: Option, project: Project): void {
  for (const { file, parts, optional } of partsOf(option, project)) {
    for (const part of partsIn(tree.readText(file) ?? "", { file, parts, optional })) {
      const there = fileOf(file, part);
      if (there === undefined || tree.read(there) !== undefined) continue;
      throw new ScaffoldError(
        "option-missing",
        `--enable ${option}: there is no ${there}; nothing was changed`,
        option === "webhook" || option === "cert-manager" || option === "metrics-certs"
          ? "npx scaffold create webhook makes it"
          : "restore it from version control",
      );
    }
  }
}

const ofCertManager = (option: Option) => option === "cert-manager" || needs[option] === "cert-manager";

/** Where webhooks get their certificate elsewhere, nothing of cert-manager is in the project. */
function requireCertManager(option: Option, { webhookCerts }: Project): void {
  if (webhookCerts === "cert-manager" || !ofCertManager(option)) return;
  throw new ScaffoldError(
    "option-missing",
    `--enable ${option}: cert-manager has no part in this project (webhook certificates: ${webhookCerts}); nothing was changed`,
    "npx scaffold edit --webhook-certs cert-manager brings it in",
  );
}

/** What certificates of cert-manager are used for doesn't go unasked when they go. */
function refuseLeftBehind(option: Option, { webhookCerts }: Project): void {
  if (webhookCerts === "cert-manager" || !ofCertManager(option)) return;
  throw new ScaffoldError(
    "option-needed",
    `${option} is enabled and needs cert-manager, which has no part in a project with webhook certificates "${webhookCerts}"; nothing was changed`,
    `switch it off too: --disable ${option}`,
  );
}

function requireNeeds(option: Option, after: ReadonlySet<Option>, disabled: readonly Option[]): void {
  const needed = needs[option];
  if (needed === undefined || after.has(needed)) return;
  if (disabled.includes(needed)) {
    throw new ScaffoldError(
      "option-needed",
      `--disable ${needed}: ${option} is enabled and needs it; nothing was changed`,
      `disable both: --disable ${needed},${option}`,
    );
  }
  throw new ScaffoldError(
    "option-needs",
    `--enable ${option}: it needs ${needed}, which is off; nothing was changed`,
    `enable both: --enable ${needed},${option}`,
  );
}
