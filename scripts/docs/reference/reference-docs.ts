// Writes the generated pages of docs/reference: `npm run docs:reference`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pages } from "./pages.ts";

const directory = join(import.meta.dirname, "../../../docs/reference");
mkdirSync(directory, { recursive: true });
for (const { file, make } of pages) writeFileSync(join(directory, file), await make());
