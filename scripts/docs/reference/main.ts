// Writes the generated pages of docs/reference, and the reports of APIs: `npm run docs:reference`.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiReport, reported, reportPath } from "../api-report/report.ts";
import { directory, generatedPages, writtenPages } from "./pages.ts";

const pages = await generatedPages();
for (const path of writtenPages(pages).keys()) if (!pages.has(path)) rmSync(join(directory, path));
for (const [path, text] of pages) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}
for (const path of reported) writeFileSync(reportPath(path), apiReport(path));
