import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/run.mjs";
import { cell, code, head, madeFrom, prose } from "./markdown.ts";

const template = (name: string): string => readFileSync(join(root, "templates/init", name), "utf8");

/** npm reserves the names of these scripts, so the script of a target differs. */
const renamed: Readonly<Record<string, string>> = { install: "install:crds", uninstall: "uninstall:crds" };

/** Variables without a comment in the Makefile. */
const descriptions: Readonly<Record<string, string>> = {
  KUBECTL: "The program kubectl.",
  HELM: "The program Helm. The Helm variables are only in projects with a Helm chart.",
  HELM_RELEASE: "The name of the Helm release.",
  HELM_NAMESPACE: "The namespace of the Helm release.",
  KIND: "The program kind.",
  KIND_CLUSTER: "The name of the Kind cluster for the e2e tests.",
  "ignore-not-found": "If true, uninstall and undeploy ignore missing objects. For npm scripts, set IGNORE_NOT_FOUND.",
  BASE_IMAGE:
    "The image in which docker-build builds the manager, such as a copy of Node's image in your own registry.",
  IMAGE_VERSION: "The version in the labels of the image.",
  IMAGE_REVISION: "The revision in the labels of the image.",
  IMAGE_SOURCE: "The URL of the source code in the labels of the image.",
  IMAGE_LICENSES: "The license in the labels of the image.",
};

/** The defaults of variables that the Makefile only passes on. */
const defaults: Readonly<Record<string, string>> = {
  BASE_IMAGE: "Node's image in the Dockerfile",
  IMAGE_VERSION: "the tag of `IMG`",
  IMAGE_REVISION: "the Git commit",
  IMAGE_SOURCE: "`repository` in package.json",
  IMAGE_LICENSES: "`license` in package.json",
};

const intro = `A scaffolded Makefile has these targets and variables. Each target is also an npm script, so that you don't need make. Set variables on the command line of make, or in the environment of an npm script:

\`\`\`sh
make deploy IMG=example.com/mygame:v1
IMG=example.com/mygame:v1 npm run deploy
\`\`\`

\`make help\` prints the targets in the terminal. Most targets run a command of \`scaffold\`: [the command line](cli.md) describes its flags. On Windows, see [Develop on Windows](../guides/windows.md).`;

/** Returns the text of docs/reference/make-targets.md. */
export function makeTargetsReference(): string {
  const makefile = template("Makefile.hbs").replace(/\{\{#if helm\}\}, and the Helm chart\{\{\/if\}\}/, "");
  return [
    ...head("All make targets and npm scripts of a scaffolded project, and the variables of its Makefile."),
    "# Make targets and npm scripts",
    "",
    madeFrom("templates/init/Makefile.hbs"),
    "",
    intro,
    "",
    ...targetTables(makefile, scriptNames()),
    "## Variables",
    "",
    "| Variable | Default | Meaning |",
    "|---|---|---|",
    ...variableRows(makefile),
    "",
  ].join("\n");
}

function scriptNames(): ReadonlySet<string> {
  return new Set([...template("package.json.hbs").matchAll(/^ {4}"([^"]+)": /gm)].map(([, name = ""]) => name));
}

function targetTables(makefile: string, scripts: ReadonlySet<string>): string[] {
  const groups = makefile.split(/^##@ /m).slice(1);
  return groups.flatMap((group) => {
    const title = group.slice(0, group.indexOf("\n"));
    const note =
      title === "Helm"
        ? ["These targets exist in projects with a [Helm chart](../guides/deploy.md#a-helm-chart).", ""]
        : [];
    const all: readonly [string, string][] =
      title === "General" ? [["all", "Run build. This is the target of make without arguments."]] : [];
    const described = [...group.matchAll(/^([a-z][a-z0-9-]*):.*?## (.*)$/gm)].map(
      ([, name = "", about = ""]) => [name, about] as const,
    );
    const rows = [...all, ...described].map(([name, about]) => {
      const script = renamed[name] ?? name;
      const npm = scripts.has(script) ? code(script === "test" ? "npm test" : `npm run ${script}`) : "";
      return `| ${code(`make ${name}`)} | ${npm} | ${cell(prose(about))} |`;
    });
    return [`## ${title}`, "", ...note, "| Target | npm script | Effect |", "|---|---|---|", ...rows, ""];
  });
}

/**
 * Returns the targets of a scaffolded Makefile, including those that `make help` doesn't list.
 *
 * @returns their names
 */
export function makeTargets(): string[] {
  const phony = template("Makefile.hbs").matchAll(/^\.PHONY: (.*)$/gm);
  return [...phony].flatMap(([, names = ""]) => names.split(" "));
}

/**
 * Returns the rows of all variables: those with a default in the Makefile, and those that it only passes on to the
 * commands. A variable's comment is directly above it.
 */
function variableRows(makefile: string): string[] {
  const set = [...makefile.matchAll(/(?:^# (.*)\n)?^([A-Z_]+) \?=(.*)$/gm)].map(
    ([, about = "", name = "", value = ""]) => row(name, defaultOf(value.trim()), about),
  );
  const names = [...makefile.matchAll(/^export ([A-Z_ ]+)$/gm)].flatMap(([, list = ""]) => list.split(" "));
  const passed = names.filter((name) => !new RegExp(`^${name} \\?=`, "m").test(makefile));
  return [...set, row("ignore-not-found", code("false")), ...passed.map((name) => row(name, defaults[name] ?? ""))];
}

function row(name: string, value: string, comment = ""): string {
  const about = comment || descriptions[name];
  if (about === undefined) throw new Error(`the variable ${name} of the Makefile has no description`);
  return `| ${code(name)} | ${value} | ${cell(prose(about))} |`;
}

function defaultOf(value: string): string {
  const shown = value
    .replace(/\{\{projectName\}\}/g, "<project>")
    .replace("{{testCluster}}", "<project>-test-e2e")
    .replace("$(KUBECTL)", "kubectl");
  return shown === "" ? "" : code(shown);
}
