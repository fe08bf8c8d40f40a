// Writes schemas/: `npm run schemas`.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateSchemas, schemasDirectory } from "./generate.ts";

const schemas = generateSchemas();
rmSync(schemasDirectory, { recursive: true, force: true });
mkdirSync(schemasDirectory, { recursive: true });
for (const [file, text] of schemas) writeFileSync(join(schemasDirectory, file), text);
