// The drawings of folders and their imports in docs/project/architecture.md.
import { join } from "node:path";
import { type FolderGraph, folderGraph, reachedFrom } from "../folder-cycles.ts";
import { root } from "./pages.ts";

/**
 * Draws the folders of a package, with an arrow to each folder that one imports. Arrows that follow from others are left out.
 *
 * @param directory - the sources of the package, such as `packages/runtime/src`
 * @returns a block of Mermaid's language
 */
export function folderDrawing(directory: string): string {
  const graph = folderGraph(join(root, directory), 1);
  const layers = layersOf(graph);
  const base = layers.map((layer) => layer.map(nameOf).join(", ")).join("; ");
  const arrows = [...graph]
    .flatMap(([from, targets]) => essential(graph, from, targets).map((to) => `  ${idOf(from)} --> ${idOf(to)}`))
    .sort();
  const names = layers.flat().map((folder) => `  ${idOf(folder)}[${nameOf(folder)}]`);
  return [
    "flowchart TD",
    `  accTitle: Folders of ${directory}`,
    `  accDescr: Each folder imports only folders of the layers before it. The layers, from the base: ${base}.`,
    ...names.sort(),
    ...arrows,
    "",
  ].join("\n");
}

/** Returns the text of a page with its drawings up to date: those below comments such as `<!-- folders: src -->`. */
export function withDrawings(page: string): string {
  return page.replace(
    /^(<!-- folders: (\S+) -->\n```mermaid\n)[\s\S]*?^```$/gm,
    (_, open, directory) => `${open}${folderDrawing(directory)}\`\`\``,
  );
}

/** Names of Mermaid's nodes have only letters and digits, and some words are reserved. */
function idOf(folder: string): string {
  return `f${nameOf(folder).replace(/\W/g, "")}`;
}

function nameOf(folder: string): string {
  return folder === "." ? "index.ts" : folder;
}

/** Returns the targets that no other target imports, directly or through others. */
function essential(graph: FolderGraph, from: string, targets: ReadonlyMap<string, string>): string[] {
  const implied = new Set([...targets.keys()].flatMap((target) => [...reachedFrom(graph, target).keys()]));
  return [...targets.keys()].filter((target) => target !== from && !implied.has(target));
}

/** Returns the folders by the length of their longest path to one that imports none. */
function layersOf(graph: FolderGraph): string[][] {
  const heights = new Map<string, number>();
  const heightOf = (folder: string): number => {
    const cached = heights.get(folder);
    if (cached !== undefined) return cached;
    const height = Math.max(-1, ...[...(graph.get(folder)?.keys() ?? [])].map(heightOf)) + 1;
    heights.set(folder, height);
    return height;
  };
  const layers: string[][] = [];
  const folders = new Set([...graph.keys(), ...[...graph.values()].flatMap((targets) => [...targets.keys()])]);
  for (const folder of [...folders].sort()) {
    const height = heightOf(folder);
    layers[height] = [...(layers[height] ?? []), folder];
  }
  return layers;
}
