// Updates the quoted blocks in the pages: `npm run docs:quotes`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pagePaths, root } from "./pages.ts";
import { quote } from "./quote.ts";

const quoted = /^(`{3,})(\w+) \[([^\]]+\/[^\]]+)\]\n[\s\S]*?^\1$/gm;

for (const path of pagePaths()) {
  const before = readFileSync(join(root, path), "utf8");
  const after = before.replace(
    quoted,
    (_, fence, language, reference) => `${fence}${language} [${reference}]\n${quote(reference)}${fence}`,
  );
  if (after === before) continue;
  writeFileSync(join(root, path), after);
  process.stdout.write(`${path}\n`);
}
