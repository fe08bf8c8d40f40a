import { modelOf, type Project } from "../../project/project-file.ts";
import type { Tree } from "../tree.ts";
import { conversionPart, crdKustomization, defaultKustomization, sectionOf, webhookParts } from "./options.ts";
import { readKustomization } from "./sections.ts";

/** Returns the kinds whose CRDs have a conversion webhook although the deployment has no webhook Service. */
export function conversionsWithoutWebhooks(tree: Tree, project: Project): string[] {
  const { sections: deployed } = readKustomization(tree.readText(defaultKustomization) ?? "");
  const [service] = webhookParts;
  if (service === undefined || sectionOf(deployed, service)?.commented === false) return [];
  const { sections } = readKustomization(tree.readText(crdKustomization) ?? "");
  return project.resources
    .filter((entry) => entry.webhooks?.conversion === true)
    .filter((entry) => sectionOf(sections, conversionPart(modelOf(entry), project))?.commented === false)
    .map(({ kind }) => kind);
}
