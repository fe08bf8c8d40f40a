import type { SourceReader } from "./model.ts";
import { createOxcReader } from "./oxc/reader.ts";
import { createTsMorphReader } from "./ts-morph/reader.ts";

/** How to read TypeScript: with the fast reader if possible (`auto`), or with the complete reader only. */
export type ReaderChoice = "auto" | "ts-morph";

/** Creates the reader of a run. The results are the same; platforms without the fast reader use the complete one. */
export async function createReader(choice: ReaderChoice): Promise<SourceReader> {
  const complete = createTsMorphReader();
  return choice === "ts-morph" ? complete : ((await createOxcReader(complete)) ?? complete);
}
