// Writes docs/reference/markers.md from the registry: `npm run docs:reference`.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { markersReference } from "../src/generate/help/index.ts";

const path = join(import.meta.dirname, "../docs/reference/markers.md");
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, markersReference());
