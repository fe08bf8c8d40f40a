import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyPlan } from "../files/apply.ts";
import { operationsTo } from "../files/operation.ts";
import { openTree } from "../files/tree.ts";
import { changePristine } from "../pristine/pristine.ts";

/** The files of a Game's webhooks. */
export const webhookFiles = ["src/webhook/v1/game-webhook.ts", "src/webhook/v1/game-webhook.test.ts"] as const;

/** Gives a project's webhooks the names of kubebuilder before 4.16, as if an earlier version had scaffolded them. */
export async function useEarlierNames(root: string): Promise<void> {
  const texts = new Map(
    webhookFiles.map((path) => [
      path,
      readFileSync(join(root, path), "utf8").replace(/(Defaulter|Validator)\b/g, earlier),
    ]),
  );
  for (const [path, text] of texts) writeFileSync(join(root, path), text);
  const { contents, gone } = changePristine(openTree(root), texts, []);
  await applyPlan({ root, operations: operationsTo(openTree(root), contents, gone), kept: [], overwritten: [] });
}

function earlier(name: string, _: string, at: number, text: string): string {
  return text.slice(0, at).endsWith("with") ? name : `Custom${name}`;
}
