import { ProblemError } from "../../project/problem-error.ts";
import type { Project } from "../../project/project-file.ts";
import type { WebhookCertificates } from "../../project/webhook-certs.ts";
import type { Tree } from "../files/tree.ts";
import { isOn, switchOff, switchOn } from "../kustomize/switch.ts";
import type { Change } from "../plan/scaffold.ts";
import { readPristine } from "../pristine/pristine.ts";
import { fileOf, type Option, options, partsIn, partsOf } from "./config-options.ts";

/** Returns the option that another one depends on, because it copies values from its objects. */
function needOf(option: Option, { webhookCerts }: Project): Option | undefined {
  if (option === "cert-manager") return "webhook";
  return option === "metrics-certs" ? sourceOfMetricsCertificate[webhookCerts] : undefined;
}

/** The option that provides the metrics certificate. Certificates in files are mounted, and need no other option. */
const sourceOfMetricsCertificate: Readonly<Record<WebhookCertificates, Option | undefined>> = {
  self: "webhook",
  "cert-manager": "cert-manager",
  files: undefined,
};

/** A change of one file. */
export interface FileChange {
  readonly file: string;
  readonly change: Change;
}

/**
 * Returns the changes that switch deployment options on and off.
 *
 * @throws ProblemError if parts of an option are missing, or a dependency of an enabled option is off
 */
export function switchOptions(
  tree: Tree,
  project: Project,
  wanted: { readonly enable: readonly Option[]; readonly disable: readonly Option[] },
): FileChange[] {
  const on = (option: Option) => isOptionOn(tree, project, option);
  for (const option of wanted.enable) {
    requireCertManager(option, project);
    requireParts(tree, option, project);
  }
  const after = new Set(options.filter((option) => wanted.enable.includes(option) || on(option)));
  for (const option of wanted.disable) after.delete(option);
  for (const option of after) requireNeeds(option, project, after, wanted.disable);
  const enabling = wanted.enable
    .flatMap((option) => partsOf(option, project))
    .map((fileParts): FileChange => {
      const { file } = fileParts;
      const fresh = (text: string) => readPristine(tree, file) ?? text;
      return { file, change: (text) => switchOn(text, file, partsIn(text, fileParts), () => fresh(text)) };
    });
  // Switch off before switching on, so that a shared key stays on.
  return [...switchOptionsOff(project, wanted.disable), ...enabling];
}

/** Whether an option of the deployment is on. */
export function isOptionOn(tree: Tree, project: Project, option: Option): boolean {
  const [{ file, parts }] = partsOf(option, project);
  return isOn(tree.readText(file) ?? "", parts);
}

/** Returns only the changes that switch options off. The caller switches others on afterwards. */
export function switchOptionsOff(project: Project, names: readonly Option[]): FileChange[] {
  return names
    .flatMap((option) => partsOf(option, project))
    .map(({ file, parts }) => ({ file, change: (text) => switchOff(text, parts) }));
}

/** Checks that the files of an option exist. */
function requireParts(tree: Tree, option: Option, project: Project): void {
  for (const { file, parts, optional } of partsOf(option, project)) {
    for (const part of partsIn(tree.readText(file) ?? "", { file, parts, optional })) {
      const there = fileOf(file, part);
      if (there === undefined || tree.read(there) !== undefined) continue;
      throw new ProblemError(
        "option-missing",
        `--enable ${option}: ${there} is missing; nothing was changed`,
        option === "webhook" || option === "cert-manager" || option === "metrics-certs"
          ? "create it with npx scaffold create webhook"
          : "restore it from version control",
      );
    }
  }
}

/**
 * Refuses cert-manager options in a project whose certificates have another source, because the project has no cert-manager
 * files.
 */
function requireCertManager(option: Option, { webhookCerts }: Project): void {
  if (webhookCerts === "cert-manager" || option !== "cert-manager") return;
  throw new ProblemError(
    "option-missing",
    `--enable ${option}: this project doesn't use cert-manager (webhook certificates: ${webhookCerts}); nothing was changed`,
    "run npx scaffold edit --webhook-certs cert-manager first",
  );
}

function requireNeeds(option: Option, project: Project, after: ReadonlySet<Option>, disabled: readonly Option[]): void {
  const needed = needOf(option, project);
  if (needed === undefined || after.has(needed)) return;
  if (disabled.includes(needed)) {
    throw new ProblemError(
      "option-needed",
      `--disable ${needed}: ${option} is enabled and needs it; nothing was changed`,
      `disable both: --disable ${needed},${option}`,
    );
  }
  throw new ProblemError(
    "option-needs",
    `--enable ${option}: it needs ${needed}, which is off; nothing was changed`,
    `enable both: --enable ${needed},${option}`,
  );
}
