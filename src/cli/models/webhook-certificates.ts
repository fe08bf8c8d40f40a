import { withOptions } from "../../project/change-project.ts";
import type { Project } from "../../project/project-file.ts";
import { type WebhookCertificates, webhookCertificates, webhookCertsProblem } from "../../project/webhook-certs.ts";
import { typesOf, webhooksOf } from "../../project/webhooks.ts";
import type { MemoryTree } from "../../scaffold/files/memory-tree.ts";
import type { Format } from "../../scaffold/format/format.ts";
import type { CommandContext } from "../framework/command.ts";
import { workError } from "../framework/errors.ts";
import { askText } from "../framework/prompts.ts";
import { loadProject, openScaffold, type ScaffoldContext } from "./project-work.ts";
import { loadForReplay } from "./replayed-project.ts";

const explanations: Readonly<Record<WebhookCertificates, string>> = {
  self: "the manager creates and renews it; the cluster needs nothing else",
  "cert-manager": "cert-manager, which must be in the cluster, issues it, as in kubebuilder",
  files: "another tool, such as a service mesh, mounts it into the Pod",
};

/**
 * Asks for the source of the webhook certificate when a project gets its first webhook, on a terminal, unless the user has chosen
 * it before.
 *
 * @returns the answer, or undefined if the project's source stays
 */
export async function askCertificates(
  { terminal, signal }: CommandContext,
  project: Project,
): Promise<WebhookCertificates | undefined> {
  const hasWebhooks = project.resources.some((entry) => typesOf(webhooksOf(entry)).length > 0);
  if (!terminal.interactive || project.choseWebhookCerts || hasWebhooks) return undefined;
  const width = Math.max(...webhookCertificates.map((name) => name.length));
  const lines = webhookCertificates.map((name) => `  ${name.padEnd(width)}  ${explanations[name]}\n`);
  terminal.questions.write(`API servers call webhooks over TLS. Sources of the certificate:\n${lines.join("")}`);
  const answer = await askText(terminal, signal, {
    message: `Certificates of webhooks [${webhookCertificates.join("/")}]`,
    default: webhookCertificates[0],
    check: webhookCertsProblem,
  });
  return answer as WebhookCertificates;
}

/** A project whose files are changed in memory. */
export interface OpenedProject extends ScaffoldContext {
  readonly project: Project;
  readonly tree: MemoryTree;
}

/**
 * Opens the project in the working directory, and changes the source of its webhook certificate in memory, as
 * `edit --webhook-certs` does.
 *
 * @param webhookCerts - the new source; the project's source stays if it is undefined
 * @throws CliError if PROJECT doesn't exist or is invalid, or if the user changed the same lines
 */
export async function openWithCertificates(
  context: CommandContext,
  webhookCerts: WebhookCertificates | undefined,
  format: Format,
): Promise<OpenedProject> {
  const { MemoryTree } = await import("../../scaffold/files/memory-tree.ts");
  if (webhookCerts === undefined) {
    const project = await loadProject(context);
    const opened = await openScaffold(context);
    return { ...opened, project, tree: new MemoryTree(opened.tree) };
  }
  const { project: before, tree: files, templates, ...rest } = await loadForReplay(context);
  const after = withOptions(before, { webhookCerts });
  const tree = new MemoryTree(files);
  const { planEdit } = await import("../../scaffold/edit/edit.ts");
  const plan = await planEdit(tree, templates, { ...rest, before, after, format });
  const [conflict] = plan.conflicts;
  if (conflict !== undefined) {
    throw workError(
      "merge-conflict",
      `the source of the webhook certificate can't be changed to ${webhookCerts}: you and the templates changed the same lines of ${conflict}`,
      `run npx scaffold edit --webhook-certs ${webhookCerts}, and resolve the conflicts`,
    );
  }
  tree.apply(plan);
  return { project: after, tree, templates, year: rest.year };
}
