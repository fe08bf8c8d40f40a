import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../lib/run.mjs";
import { code, head, madeFrom } from "../markdown.ts";
import { areas } from "./areas.ts";
import { runtimeApi } from "./model.ts";
import { outlineOf } from "./outline.ts";

const intro = `\`@kubewright/runtime\` exports these names, here by area, and the modules with the types of Kubernetes.

The guides show the most common functions in use: [Read and write objects](../guides/read-and-write.md), [Control when reconciles run](../guides/control-reconciles.md) and [Write webhooks](../guides/webhooks.md). If you know controller-runtime, see [Coming from kubebuilder](../guides/coming-from-kubebuilder.md).

Durations are in milliseconds unless stated otherwise. Import names from \`@kubewright/runtime\` unless the page of their area contains another entry point.`;

/** Returns the text of docs/reference/runtime.md. */
export async function runtimeIndex(): Promise<string> {
  const { modules } = await runtimeApi();
  const sections = modules.flatMap((module, index) => {
    const { title = "", page = "", about = "" } = areas[index] ?? {};
    const names = outlineOf(module).map(({ heading, anchor }) => `[${heading}](runtime/${page}.md#${anchor})`);
    return [`## [${title}](runtime/${page}.md)`, "", about, "", `${names.join(", ")}`, ""];
  });
  return [
    ...head("All exports of @kubewright/runtime by area, and the modules with the types of Kubernetes."),
    "# Runtime API",
    "",
    madeFrom("the exports and comments of packages/runtime/src/"),
    "",
    intro,
    "",
    ...sections,
    ...kubernetesTypes(),
  ].join("\n");
}

/** Returns the kinds of each group and version, whose modules `npm run build` generates from data/core-types. */
function kubernetesTypes(): string[] {
  const directory = join(root, "packages/runtime/src/api");
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
    "## Types of Kubernetes",
    "",
    "Each group and version has a module. Each kind is a type, and a value for clients, caches and builders:",
    '`import { Deployment } from "@kubewright/runtime/api/apps/v1"`. The types of fields have the same names as in Kubernetes\' Go packages.',
    "",
    ...lines,
    "",
  ];
}
