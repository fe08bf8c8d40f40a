import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/run.mjs";
import { cell, code, head, madeFrom, prose } from "./markdown.ts";

const template = (name: string): string => readFileSync(join(root, "templates/init", name), "utf8");

/** npm reserves the names of these scripts, so the script of a target differs. */
const renamed: Readonly<Record<string, string>> = { install: "install:crds", uninstall: "uninstall:crds" };

const intro = `This page lists the targets and variables of a scaffolded Makefile.

**When you need it:** you look up a command of your project. **Prerequisites:** a project from the [quick start](../quick-start.md).

Each target is also an npm script,
so that you don't need make. Set variables in the environment: \`IMG=example.com/mygame:v1 npm run deploy\`. \`make help\` lists the targets in the terminal.`;

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
      title === "Helm" ? ["These targets exist in projects with a [Helm chart](../deploy.md#a-helm-chart).", ""] : [];
    const rows = [...group.matchAll(/^([a-z][a-z0-9-]*):.*?## (.*)$/gm)].map(([, name = "", about = ""]) => {
      const script = renamed[name] ?? name;
      const npm = scripts.has(script) ? code(script === "test" ? "npm test" : `npm run ${script}`) : "";
      return `| ${code(`make ${name}`)} | ${npm} | ${cell(prose(about))} |`;
    });
    return [`## ${title}`, "", ...note, "| Target | npm script | Effect |", "|---|---|---|", ...rows, ""];
  });
}

/** A variable's comment is directly above it. */
function variableRows(makefile: string): string[] {
  const found = makefile.matchAll(/(?:^# (.*)\n)?^([A-Z_]+) \?=(.*)$/gm);
  return [...found].map(([, about = "", name = "", value = ""]) => {
    const known = about === "" ? `The program or setting ${code(name)}.` : about;
    return `| ${code(name)} | ${defaultOf(value.trim())} | ${cell(prose(known))} |`;
  });
}

function defaultOf(value: string): string {
  const shown = value
    .replace(/\{\{projectName\}\}/g, "<project>")
    .replace("{{testCluster}}", "<project>-test-e2e")
    .replace("$(KUBECTL)", "kubectl");
  return shown === "" ? "" : code(shown);
}
