import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type ExportedDeclarations, Project } from "ts-morph";
import { type Described, describeDeclaration, type Line } from "./declarations.ts";
import { anchor, code, madeFrom, prose } from "./markdown.ts";
import { areaOf, areas } from "./runtime-areas.ts";

const sources = join(import.meta.dirname, "../../../runtime/src");

/** The entry points of the package, without those of the Kubernetes API, which are listed by group and version. */
const entryPoints = [
  { specifier: "@kubewright/runtime", index: "index.ts" },
  { specifier: "@kubewright/runtime/api", index: "api/index.ts" },
  { specifier: "@kubewright/runtime/metrics", index: "metrics/index.ts" },
  { specifier: "@kubewright/runtime/testing", index: "testing/index.ts" },
  { specifier: "@kubewright/runtime/envtest", index: "envtest/index.ts" },
] as const;

/** An export with all of its declarations, such as a class, or an interface and a value. */
export interface Entry {
  readonly name: string;
  /** The entry point that exports it; the main one if there are several. */
  readonly specifier: string;
  readonly area: string;
  readonly declarations: readonly Described[];
}

const intro = `All exports of the package's entry points, by area, with declaration and comment. For how the parts work together, see
[The runtime](../runtime.md) and [Webhooks](../webhooks.md); how they behave, rule by rule, in [Conformance](conformance.md). Durations are milliseconds.

Names come from \`@kubewright/runtime\` unless stated otherwise.`;

/** Returns the text of docs/reference/runtime.md. */
export function runtimeReference(): string {
  const entries = exportedNames();
  const sections = areas.flatMap(({ title, about }) => {
    const own = entries.filter(({ area }) => area === title);
    return [`## ${title}`, "", about, "", ...own.flatMap(section)];
  });
  return [
    "# The runtime's API",
    "",
    madeFrom("the exports and comments of runtime/src/"),
    "",
    intro,
    "",
    ...[...areas.map(({ title }) => title), types].map((title) => `- [${title}](#${anchor(title)})`),
    "",
    ...sections,
    ...kubernetesTypes(),
  ].join("\n");
}

/** Returns the exports of all entry points except those of the Kubernetes API, in order. */
export function exportedNames(): Entry[] {
  // Don't read declarations of other packages: names and types are printed as written.
  const project = new Project({
    compilerOptions: { noLib: true, types: [], allowImportingTsExtensions: true, noEmit: true },
    resolutionHost: () => ({ resolveModuleNames: (names, from) => names.map((name) => ownModule(name, from)) }),
  });
  const found = new Map<string, Entry>();
  for (const { specifier, index } of entryPoints) {
    const exported = project.addSourceFileAtPath(join(sources, index)).getExportedDeclarations();
    for (const [name, nodes] of exported) {
      if (!found.has(name)) found.set(name, entryOf(name, specifier, nodes));
    }
  }
  const key = ({ name }: Entry) => `${name.toLowerCase()} ${name}`;
  return [...found.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function ownModule(name: string, from: string): { resolvedFileName: string } | undefined {
  return name.startsWith(".") ? { resolvedFileName: join(dirname(from), name).replaceAll("\\", "/") } : undefined;
}

function entryOf(name: string, specifier: string, nodes: readonly ExportedDeclarations[]): Entry {
  const [first] = nodes;
  if (first === undefined) throw new Error(`${name} of ${specifier} is declared nowhere`);
  const path = relative(sources, first.getSourceFile().getFilePath()).replaceAll("\\", "/");
  const declarations = nodes.map((node) => describeDeclaration(name, node));
  // The Kubernetes documentation describes the fields of these types.
  const own = !/^api\/.+\//.test(path);
  return {
    name,
    specifier,
    area: areaOf(path).title,
    declarations: own ? declarations : declarations.map((each) => ({ ...each, members: [] })),
  };
}

function section({ name, specifier, declarations }: Entry): string[] {
  const from = specifier === entryPoints[0].specifier ? [] : [`From ${code(specifier)}.`, ""];
  return [
    `### ${name}`,
    "",
    ...from,
    ...declarations.flatMap((each) => [
      code(each.code),
      "",
      ...(each.about === "" ? [] : [prose(each.about), ""]),
      ...(each.members.length === 0 ? [] : [...each.members.map(memberLine), ""]),
    ]),
  ];
}

function memberLine({ code: text, about }: Line): string {
  return `- ${code(text)}${about === "" ? "" : `: ${prose(about)}`}`;
}

const types = "Types of Kubernetes";

/** Returns the kinds of each group and version, whose modules `npm run build` generates from data/core-types. */
function kubernetesTypes(): string[] {
  const directory = join(sources, "api");
  const modules = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /^[^/]+\/[^/]+\.ts$/.test(path))
    .sort();
  const lines = modules.map((path) => {
    const text = readFileSync(join(directory, path), "utf8");
    const kinds = [...text.matchAll(/^export const (\w+): Kind</gm)].map(([, kind = ""]) => code(kind));
    const module = code(`@kubewright/runtime/api/${path.replace(/\.ts$/, "")}`);
    return `- ${module}: ${kinds.length === 0 ? "types only" : kinds.join(", ")}`;
  });
  return [
    `## ${types}`,
    "",
    "A module for each group and version, each kind at once the type and the value that clients, caches and builders take:",
    '`import { Deployment } from "@kubewright/runtime/api/apps/v1"`. The types of their fields are exported under their names in Kubernetes\' Go packages.',
    "",
    ...lines,
    "",
  ];
}
