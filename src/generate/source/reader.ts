import type { SourceReader } from "./model.ts";
import { createOxcReader } from "./oxc/reader.ts";
import { createTsMorphReader } from "./ts-morph/reader.ts";

/** How TypeScript is read: by the complete reader alone, or by the fast one as far as it gets. */
export type ReaderChoice = "auto" | "ts-morph";

/** Gives the reader of a run. Both give the same; a platform without the fast one takes the complete one. */
export async function createReader(choice: ReaderChoice): Promise<SourceReader> {
  const complete = createTsMorphReader();
  return choice === "ts-morph" ? complete : ((await createOxcReader(complete)) ?? complete);
}
