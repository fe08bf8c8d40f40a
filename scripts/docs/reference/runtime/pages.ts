import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { head } from "../markdown.ts";
import { type Area, areas } from "./areas.ts";
import { runtimeApi } from "./model.ts";

/**
 * Generates the pages of all areas.
 *
 * @returns the texts by the name of the page, without its extension
 */
export async function areaPages(): Promise<ReadonlyMap<string, string>> {
  const { app, project } = await runtimeApi();
  const directory = mkdtempSync(join(tmpdir(), "kubewright-reference-"));
  try {
    app.options.setValue("outputs", [{ name: "markdown", path: directory }]);
    await app.generateOutputs(project);
    if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("TypeDoc failed; see its messages above");
    const pageOf = ({ page, title, about }: Area): string => {
      const description = head(`${title} of @kubewright/runtime: ${about}`).join("\n");
      return `${description}\n${readFileSync(join(directory, `${page}.md`), "utf8")}`;
    };
    return new Map(areas.map((area) => [area.page, pageOf(area)]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
