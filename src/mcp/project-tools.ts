import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ErrorId } from "../diagnostics/errors/index.ts";
import { renderText } from "../diagnostics/index.ts";
import { LAYOUT, readProject } from "../project/project-file.ts";
import { liesOutside } from "../scaffold/files/inside.ts";
import { makefileOptions } from "../tasks/makefile.ts";
import { shellWord } from "../text/shell-word.ts";
import { commandOutput, type Output, type Place, runCommand } from "./command.ts";
import { explain } from "./explain.ts";
import { Failure, failureOf } from "./failure.ts";
import { searchPages } from "./pages.ts";
import type { EncodedOperation } from "./plans.ts";
import { flag, integer, list, objectSchema, oneOf, outputSchema, text, word } from "./schemas.ts";
import type { Tool, ToolResult } from "./tool.ts";

const scaffoldCommands = ["create api", "create webhook", "delete api", "delete webhook", "edit", "upgrade"] as const;
/** Flags of every command that would change how the plan is made. */
const reservedFlags = ["json", "dry-run", "yes", "help", "verbose", "quiet", "check"];

const operation = objectSchema({ op: oneOf("create", "update", "delete"), path: text, "diff?": text });

/** Returns the tools for the files of the project, and for facts. */
export function projectTools(packageRoot: string): readonly Tool[] {
  const generated = outputSchema(packageRoot, "manifests");
  return [
    {
      name: "project",
      title: "Describe the project",
      description: "Returns the settings and kinds of the project, and whether a session of scaffold dev runs.",
      input: objectSchema({}, { closed: true }),
      output: objectSchema({
        ...{ name: text, root: text, version: text, layout: text, domain: text, multigroup: flag, namespaced: flag },
        resources: list({ type: "object" }),
        session: objectSchema({ running: flag, "engine?": text }),
      }),
      readOnly: true,
      async run(_call, { place, session, version }) {
        const project = readProject(readFileSync(join(place.root, "PROJECT"), "utf8"));
        if ("message" in project) throw new Failure(project.id as ErrorId, project.message, project.hint);
        const status = session.isRunning ? await session.status().catch(() => undefined) : undefined;
        const { projectName, domain, multigroup, namespaced, resources } = project;
        const data = {
          name: projectName,
          root: place.root,
          version,
          layout: LAYOUT,
          domain,
          multigroup,
          namespaced,
          resources,
          session: { running: session.isRunning, ...(status === undefined ? {} : { engine: status.engine }) },
        };
        const kinds = resources.map(({ group = "", version: of, kind }) => `${kind} (${group}/${of})`).join(", ");
        return {
          data,
          text: `${projectName}: ${kinds || "no kinds"}. scaffold dev ${session.isRunning ? "runs" : "doesn't run"}.`,
        };
      },
    },
    {
      name: "generate_check",
      title: "Check the manifests",
      description: "Checks types and markers, and compares the generated manifests with the files. Writes nothing.",
      input: objectSchema(
        { "against?": { ...word, description: "Git revision or directory to compare CRDs with" } },
        { closed: true },
      ),
      output: { ...generated, properties: { diff: text }, required: ["diff"] },
      readOnly: true,
      async run({ args: { against }, signal }, { place }) {
        const flags = against === undefined ? [] : [`--against=${String(against)}`];
        const output = await runCommand(place, ["manifests", "--check", ...flags], signal);
        return generatorResult(output, place, { diff: output.text });
      },
    },
    {
      name: "generate",
      title: "Generate the manifests",
      description: "Generates CRDs, roles and webhook configurations, as make manifests does. Diagnostics are results.",
      input: objectSchema({}, { closed: true }),
      output: generated,
      async run({ signal }, { place }) {
        for (const path of outputPaths(makefileOptions(place.root, place.env))) checkInside(path, place.root);
        return generatorResult(await runCommand(place, ["manifests"], signal), place, {});
      },
    },
    {
      name: "explain",
      title: "Explain a marker, a diagnostic or an error",
      description: "Returns what a marker does, or the cause and the fix of a diagnostic or an error.",
      input: objectSchema(
        { name: { ...word, description: "such as +kubebuilder:validation:Minimum or unknown-marker" } },
        { closed: true },
      ),
      output: objectSchema({
        kind: oneOf("marker", "diagnostic", "error"),
        name: text,
        summary: text,
        "details?": text,
        "targets?": list(text),
        "arguments?": list({ type: "object" }),
        "example?": text,
        "fix?": text,
        docs: text,
      }),
      readOnly: true,
      standalone: true,
      async run({ args: { name } }, { site }) {
        const data = explain(String(name), site);
        const lines = [data.name, data.summary, data.details, data.example, data.fix && `fix: ${data.fix}`, data.docs];
        return { data, text: lines.filter(Boolean).join("\n") };
      },
    },
    {
      name: "search_docs",
      title: "Search the documentation",
      description:
        "Finds sections in the documentation of the installed version. Read a page with its URI as a resource.",
      input: objectSchema({ query: word, "limit?": { ...integer(1, 20), default: 5 } }, { closed: true }),
      output: objectSchema({ results: list(objectSchema({ title: text, uri: text, excerpt: text })) }),
      readOnly: true,
      standalone: true,
      async run({ args: { query, limit = 5 } }, { pages }) {
        const results = searchPages(pages, String(query), Number(limit));
        const shown = results.map(({ title, uri, excerpt }) => `${title}\n${uri}\n\n${excerpt}`);
        return { data: { results }, text: shown.join("\n\n---\n\n") || "nothing found" };
      },
    },
    {
      name: "scaffold",
      title: "Plan a change of the project",
      description:
        "Computes the changes of a scaffold command, and writes nothing. Apply the returned plan with scaffold_apply.",
      input: objectSchema(
        {
          command: oneOf(...scaffoldCommands),
          flags: {
            type: "object",
            description: 'by name without dashes, such as {"group": "shop", "version": "v1", "kind": "Order"}',
            additionalProperties: { type: ["string", "number", "boolean"], maxLength: 10_000 },
            propertyNames: { maxLength: 100 },
            maxProperties: 50,
          },
        },
        { closed: true },
      ),
      output: objectSchema({
        plan: text,
        expires: text,
        destructive: flag,
        operations: list(operation),
        commandLine: text,
      }),
      readOnly: true,
      async run({ args, signal }, { place, plans }) {
        const flags = (args.flags ?? {}) as Readonly<Record<string, string | number | boolean>>;
        const words = flagWords(flags, place.root);
        const command = String(args.command);
        const output = await commandOutput(place, [...command.split(" "), ...words, "--dry-run"], signal);
        const commandLine = ["npx scaffold", command, ...words.map(shellWord)].join(" ");
        const contents = (output.json.contents ?? []) as EncodedOperation[];
        const isForced = flags.force !== undefined && flags.force !== false;
        const { id, expires, destructive, operations } = plans.add(contents, commandLine, isForced);
        const shown = operations.map(({ op, path, diff }) => diff ?? `${op} ${path}`).join("\n");
        return {
          data: { plan: id, expires, destructive, operations, commandLine },
          text: shown || "nothing to change",
        };
      },
    },
    {
      name: "scaffold_apply",
      title: "Apply a plan",
      description:
        "Writes the changes of a plan of scaffold, all or none. A plan that deletes or overwrites files needs the person's confirmation.",
      input: objectSchema({ plan: word }, { closed: true }),
      output: objectSchema({ operations: list(operation) }),
      destructive: true,
      async run({ args, signal, confirm }, { plans }) {
        const plan = plans.get(String(args.plan));
        if (plan.destructive) {
          const byHand = `ask the person to run it: ${plan.commandLine}`;
          if (confirm === undefined)
            throw new Failure("needs-confirmation", "the plan deletes or overwrites files", byHand);
          const files = plan.operations.map(({ op, path }) => `${op} ${path}`).join("\n");
          const answer = confirm(`Apply the changes of ${plan.commandLine}?\n${files}`);
          if ("request" in answer) return answer;
          if (!answer.agreed) throw new Failure("needs-confirmation", "the person didn't agree to the plan", byHand);
        }
        const operations = await plans.apply(plan.id, signal);
        return { data: { operations }, text: operations.map(({ op, path }) => `${op} ${path}`).join("\n") };
      },
    },
  ];
}

/** Creates the failure of a tool that needs a project. */
export function notAProject(): Failure {
  return new Failure(
    "not-a-project",
    "this directory has no PROJECT file",
    "start the server in the project, or with --root",
  );
}

/** Diagnostics are results. An output without files is a failure. */
function generatorResult({ json, text: printed }: Output, { root }: Place, more: object): ToolResult {
  if (!("files" in json)) throw failureOf(json.diagnostics);
  const absolute = (json.diagnostics ?? []).map((diagnostic) => ({
    ...diagnostic,
    file: diagnostic.file && resolve(root, diagnostic.file),
  }));
  const readSource = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  const shown = renderText(absolute, { cwd: root, readSource });
  const files = (json.files as { path: string; action: string }[]).filter(({ action }) => action !== "unchanged");
  const lines = files.map(({ path, action }) => `${action} ${path}\n`).join("");
  return { data: { ...json, ...more }, text: `${shown}${printed || lines}` || "up to date" };
}

function flagWords(flags: Readonly<Record<string, string | number | boolean>>, root: string): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (!/^[a-z][a-z-]*$/.test(name) || reservedFlags.includes(name)) {
      throw new Failure(
        "usage",
        `the flag ${JSON.stringify(name)} can't be set`,
        "use names without dashes, such as group",
      );
    }
    if (name === "from-crd" || name === "license-file") checkFile(String(value), root);
    if (name === "external-api-module" && !/.@[^@/]+$/.test(String(value))) {
      throw new Failure(
        "usage",
        `external-api-module ${JSON.stringify(value)} has no version, and this server doesn't use the network`,
        "add the version, such as @acme/types@1.2.3",
      );
    }
    if (value === true && ["external", "force", "rebase"].includes(name)) return [`--${name}`];
    return [`--${name}=${value}`];
  });
}

/** @throws Failure unless a path is a file of the project: not stdin, and not an address */
function checkFile(path: string, root: string): void {
  const full = resolve(root, path);
  if (existsSync(full) && !liesOutside(realpathSync(root), realpathSync(full))) return;
  throw new Failure("outside-project", `${path}: must be a file of the project`, "copy it into the project first");
}

/** Returns the directories of output rules, such as `config/crd` of `output:crd:dir=config/crd`. */
function outputPaths(options: readonly string[]): string[] {
  const rules = options.filter((option) => option.startsWith("output:"));
  return rules
    .flatMap((rule) => rule.slice(rule.indexOf("=") + 1).split(/[,;]/))
    .map((part) => part.replace(/^\w+=/, ""));
}

/** @throws Failure if a directory of an output rule is outside of the project */
function checkInside(path: string, root: string): void {
  if (!liesOutside(root, resolve(root, path))) return;
  throw new Failure(
    "outside-project",
    `the Makefile generates files in ${path}, which is outside of the project`,
    "run make manifests by hand",
  );
}
