import { domainProblem, ownerProblem, projectNameProblem } from "../../project/names.ts";
import { packageIdentity, repoProblem } from "../../project/repo.ts";
import {
  defaultCertificates,
  type WebhookCertificates,
  webhookCertificates,
  webhookCertsProblem,
} from "../../project/webhook-certs.ts";
import { licenses } from "../../scaffold/parts/boilerplate.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { isOn, switchValue, textFlag } from "../framework/flags.ts";
import { oldestNode } from "../framework/node-version.ts";
import { refuse, withCliErrors } from "../framework/problems.ts";
import { cliVersion, packageRoot } from "../framework/version.ts";
import { fetchDependencies, packageManager } from "../models/fetch-dependencies.ts";
import { layouts } from "../models/layouts.ts";
import { licenseText } from "../models/license.ts";
import { askDomain, checkNode, defaultDomain, nameOfDirectory, warnOfPath } from "../models/new-project.ts";
import { formatWritten } from "../models/project-format.ts";
import { openScaffold, planAndApply } from "../models/project-work.ts";

/** `scaffold init`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Start a new operator project in the current directory.")
      .option("--domain <name>", `domain suffix for API groups (default: "${defaultDomain}")`)
      .option("--project-name <name>", "prefix of the namespace and all deployed objects (default: the directory name)")
      .option(
        "--repo <name>",
        "npm package name, or a module path such as github.com/acme/op (default: the project name)",
      )
      .option("--license <name>", "license header for generated files: apache2, copyright or none (default: apache2)")
      .option("--license-file <path>", "file with the license header, one /* … */ comment")
      .option("--owner <name>", "copyright holder in the license header")
      .option(
        "--multigroup [bool]",
        "support several API groups, with a directory for each",
        switchValue("--multigroup"),
      )
      .option(
        "--namespaced [bool]",
        "watch only the given namespaces, with Roles instead of ClusterRoles",
        switchValue("--namespaced"),
      )
      .option(
        "--webhook-certs <how>",
        `source of the webhook certificate: self (created by the manager), cert-manager or files (default: ${defaultCertificates}; on a terminal, the first create webhook asks)`,
      )
      .option("--fetch-deps [bool]", "install npm packages (default: true)", switchValue("--fetch-deps"))
      .option("--plugins <keys>", `project layout: ${layouts[0]}`)
      .option("--project-version <number>", "PROJECT file version: 3")
      .option(
        "--skip-node-version-check [bool]",
        `allow Node versions older than ${oldestNode}`,
        switchValue("--skip-node-version-check"),
      );
  },
  ignoredFlags: ["--skip-go-version-check", "--component-config"],
  completions: {
    flags: {
      license: { choices: licenses },
      "webhook-certs": { choices: webhookCertificates },
      plugins: { choices: layouts },
      "project-version": { choices: ["3"] },
    },
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { options, terminal } = context;
  checkCompatibilityFlags(context);
  if (options.skipNodeVersionCheck !== true) checkNode();
  const projectName = textFlag(options, "projectName") ?? nameOfDirectory(context.cwd);
  const repo = textFlag(options, "repo") ?? projectName;
  const owner = textFlag(options, "owner");
  const given = textFlag(options, "domain");
  const certs = textFlag(options, "webhookCerts");
  refuse([
    certs === undefined ? undefined : webhookCertsProblem(certs),
    given === undefined ? undefined : domainProblem(given),
    projectNameProblem(projectName),
    repoProblem(repo),
    owner === undefined ? undefined : ownerProblem(owner),
  ]);
  const fetches = options.fetchDeps !== false;
  warnOfPath(terminal, context.cwd);
  const manager = packageManager(context.env.npm_config_user_agent);
  const boilerplate = await licenseText(context, owner);
  const npm = packageIdentity(repo);
  if (npm === undefined) throw usageError(`--repo ${shown(repo)} isn't a valid package name`);
  const domain = given ?? (await askWhereAllowed(context));
  if (npm.fromModulePath) {
    terminal.onSuccess("note", `--repo ${repo} is a module path: the npm package name is ${npm.name}`);
  }

  const result = await planAndApply(
    context,
    async () => {
      const { planInit } = await import("../../scaffold/commands/init.ts");
      const { newProjectText } = await import("../../project/project-file.ts");
      const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
      // Start this first: the packages are compressed while the templates are rendered.
      const references = packageReferences(packageRoot());
      const multigroup = isOn(options, "multigroup");
      const settings = { projectName, domain, repo, namespaced: isOn(options, "namespaced") };
      // The value is checked above.
      const webhookCerts = certs as WebhookCertificates | undefined;
      const { tree, templates, year } = await openScaffold(context);
      return planInit(tree, templates, {
        ...settings,
        webhookCerts: webhookCerts ?? defaultCertificates,
        npm,
        boilerplate,
        year,
        projectText: newProjectText({ ...settings, webhookCerts, multigroup, cliVersion: cliVersion() }),
        references,
        packageManager: manager,
      });
    },
    () => "",
  );
  const { dryRun, quiet } = context.globals;
  if (dryRun) return result;
  if (fetches) {
    await fetchDependencies(context);
    await formatWritten(context, result.operations);
  }
  if (quiet) return result;
  const next = [
    ...(fetches ? [] : [`${manager.name} install`]),
    "npx scaffold create api --group web --version v1 --kind Website",
    ...(fetches ? ["npm test"] : []),
    "npx scaffold dev",
  ];
  const count = result.operations?.length;
  const output = `Created project ${projectName}: ${count} files. Next:\n\n${next.map((line) => `  ${line}\n`).join("")}`;
  return { ...result, output };
}

/** Asks for the domain, after checking that a project can be created here. */
async function askWhereAllowed(context: CommandContext): Promise<string> {
  const { terminal, cwd } = context;
  if (!terminal.interactive) return defaultDomain;
  const { refuseProject } = await import("../../scaffold/commands/init.ts");
  const { openTree } = await import("../../scaffold/files/tree.ts");
  const { wasInterrupted } = await import("../../scaffold/files/journal.ts");
  await withCliErrors(async () => {
    const tree = openTree(cwd);
    if (!wasInterrupted(tree.root)) refuseProject(tree);
  });
  return askDomain(context);
}

/** Checks flags that exist for compatibility with kubebuilder, and notes those without effect. */
function checkCompatibilityFlags({ options, terminal }: CommandContext): void {
  const version = textFlag(options, "projectVersion");
  if (version !== undefined && version !== "3") throw usageError(`--project-version ${shown(version)} must be 3`);
  if (options.skipGoVersionCheck !== undefined)
    terminal.onSuccess("note", "--skip-go-version-check has no effect: Go is not required");
  if (options.componentConfig !== undefined)
    terminal.onSuccess("note", "--component-config has no effect: configure the manager with its flags");
}
