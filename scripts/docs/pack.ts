// Writes the pages of the documentation to the package, for the resources of `scaffold mcp`: dist/docs.json.gz.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { markdownOf } from "../../docs/.vitepress/assistants.ts";
import { pageSources } from "../../docs/.vitepress/navigation.ts";

const root = join(import.meta.dirname, "../..");
const { homepage, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const addresses = { site: homepage, repository: repository.url.replace(/^git\+|\.git$/g, "") };

const pages = pageSources().map((page) => {
  const text = markdownOf(page, addresses);
  return { path: page.path, title: /^# (.+)$/m.exec(text)?.[1] ?? page.path, text };
});
mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(join(root, "dist/docs.json.gz"), gzipSync(JSON.stringify(pages), { level: 9 }));
