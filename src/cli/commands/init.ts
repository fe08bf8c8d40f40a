import { basename } from "node:path";
import { domainProblem, ownerProblem, projectNameProblem, shown } from "../../project/names.ts";
import { packageIdentity, repoProblem } from "../../project/repo.ts";
import {
  defaultCertificates,
  type WebhookCertificates,
  webhookCertificates,
  webhookCertsProblem,
} from "../../project/webhook-certs.ts";
import { licenses } from "../../scaffold/boilerplate.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { usageError } from "../errors.ts";
import { fetchDependencies, packageManager } from "../fetch-dependencies.ts";
import { switchValue, textFlag } from "../flags.ts";
import { layouts } from "../layouts.ts";
import { licenseText } from "../license.ts";
import { nodeIsTooOld, oldestNode } from "../node-version.ts";
import { refuse, scaffolding } from "../problems.ts";
import { planAndApply, templatesDirectory } from "../project-work.ts";
import { askText } from "../prompts.ts";
import { cliVersion, packageRoot } from "../version.ts";

const defaultDomain = "my.domain";

/** `scaffold init`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Starts a new operator project in the current directory.")
      .option("--domain <name>", `what the names of the API groups end in (default: "${defaultDomain}")`)
      .option(
        "--project-name <name>",
        "names the namespace and prefixes what is deployed (default: the directory's name)",
      )
      .option(
        "--repo <name>",
        "npm package name, or a module path such as github.com/acme/op (default: the project's name)",
      )
      .option("--license <name>", "head of each file: apache2, copyright or none (default: apache2)")
      .option("--license-file <path>", "head of each file, from a file with one /* … */ comment")
      .option("--owner <name>", "who holds the copyright")
      .option("--multigroup [bool]", "make room for several API groups", switchValue("--multigroup"))
      .option(
        "--namespaced [bool]",
        "watch named namespaces only, with Roles instead of ClusterRoles",
        switchValue("--namespaced"),
      )
      .option(
        "--webhook-certs <how>",
        `where webhooks get their certificate: self (the manager makes it), cert-manager or files (default: ${defaultCertificates})`,
      )
      .option("--fetch-deps [bool]", "install the packages (default: true)", switchValue("--fetch-deps"))
      .option("--plugins <keys>", `layout of the project: ${layouts[0]}`)
      .option("--project-version <number>", "version of the PROJECT file: 3")
      .option(
        "--skip-node-version-check [bool]",
        `run on a Node that is older than ${oldestNode}`,
        switchValue("--skip-node-version-check"),
      )
      .option("--skip-go-version-check [bool]", "accepted for habit's sake", switchValue("--skip-go-version-check"))
      .option("--component-config [bool]", "accepted for habit's sake", switchValue("--component-config"));
  },
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
  checkHabits(context);
  checkNode(options.skipNodeVersionCheck === true);
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
  const manager = packageManager(context.env.npm_config_user_agent);
  const boilerplate = await licenseText(context, owner);
  const npm = packageIdentity(repo);
  if (npm === undefined) throw usageError(`--repo ${repo} can't be used`);
  const domain = given ?? (await askDomain(context));
  const webhookCerts = (certs as WebhookCertificates | undefined) ?? (await askCertificates(context));
  if (npm.fromModulePath) {
    terminal.onSuccess("note", `--repo ${repo} is a module path: the npm package is called ${npm.name}`);
  }

  const result = await planAndApply(
    context,
    async () => {
      const { planInit } = await import("../../scaffold/init.ts");
      const { newProjectText } = await import("../../project/project-file.ts");
      const { openTemplates } = await import("../../scaffold/templates.ts");
      const { openTree } = await import("../../scaffold/tree.ts");
      const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
      // First: the packages are compressed while the templates are rendered.
      const references = packageReferences(packageRoot());
      const multigroup = options.multigroup !== undefined && options.multigroup !== false;
      const namespaced = options.namespaced !== undefined && options.namespaced !== false;
      return planInit(openTree(context.cwd), await openTemplates(templatesDirectory()), {
        projectName,
        domain,
        repo,
        npm,
        boilerplate,
        year: new Date().getFullYear(),
        namespaced,
        webhookCerts,
        projectText: newProjectText({
          ...{ domain, projectName, repo, cliVersion: cliVersion() },
          ...{ multigroup, namespaced, webhookCerts },
        }),
        references,
        packageManager: manager,
      });
    },
    () =>
      `${projectName} is ready. Next: ${fetches ? "" : `${manager.name} install, then `}npx scaffold create api --group shop --version v1 --kind Game, with your own names`,
  );
  if (!context.globals.dryRun && fetches) await fetchDependencies(context);
  return result;
}

/** The directory's name in lower case is the project's, as kubebuilder has it. */
function nameOfDirectory(cwd: string): string {
  const name = basename(cwd).toLowerCase();
  const problem = projectNameProblem(name);
  if (problem === undefined) return name;
  throw usageError(
    `the directory's name can't be the project's: ${problem.message.replace("--project-name ", "")}`,
    "give one with --project-name",
  );
}

async function askDomain({ terminal, signal, cwd }: CommandContext): Promise<string> {
  if (!terminal.interactive) return defaultDomain;
  // Nobody is asked for what can't be used.
  const { refuseProject } = await import("../../scaffold/init.ts");
  const { openTree } = await import("../../scaffold/tree.ts");
  const { wasInterrupted } = await import("../../scaffold/journal.ts");
  await scaffolding(async () => {
    const tree = openTree(cwd);
    if (!wasInterrupted(tree.root)) refuseProject(tree);
  });
  return askText(terminal, signal, {
    message: "Domain of the API groups",
    default: defaultDomain,
    check: domainProblem,
  });
}

/** Offers what needs nothing else in the cluster; scripts get what kubebuilder's have. */
async function askCertificates({ terminal, signal }: CommandContext): Promise<WebhookCertificates> {
  if (!terminal.interactive) return defaultCertificates;
  const answer = await askText(terminal, signal, {
    message: `Certificates of webhooks [${webhookCertificates.join("/")}]`,
    default: webhookCertificates[0],
    check: webhookCertsProblem,
  });
  return answer as WebhookCertificates;
}

/** Flags that kubebuilder's users type by habit, and those whose other values are not there. */
function checkHabits({ options, terminal }: CommandContext): void {
  const version = textFlag(options, "projectVersion");
  if (version !== undefined && version !== "3")
    throw usageError(`--project-version ${shown(version)} is not known: 3 is what there is`);
  if (options.skipGoVersionCheck !== undefined)
    terminal.onSuccess("note", "--skip-go-version-check: no Go is needed, the flag has no effect");
  if (options.componentConfig !== undefined)
    terminal.onSuccess("note", "--component-config: the manager takes flags, the flag has no effect");
}

function checkNode(skip: boolean): void {
  if (skip || !nodeIsTooOld()) return;
  throw usageError(
    `Node ${process.versions.node} is too old: ${oldestNode} or newer is needed`,
    "--skip-node-version-check goes on all the same",
  );
}
