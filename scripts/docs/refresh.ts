// Updates the quoted blocks and the drawings of folders in the pages: `npm run docs:quotes`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withDrawings } from "./folders.ts";
import { pagePaths, root } from "./pages.ts";
import { newLines, quote } from "./quote.ts";

const quoted =
  /^(?:(<!-- since: )(.+)( -->\n))?(`{3,})(\w+)(?:\{[\d,-]*\})? \[([^\]]*\/[^\]]*)\]( .+)?\n[\s\S]*?^\4$/gm;

for (const path of pagePaths()) {
  const before = readFileSync(join(root, path), "utf8");
  const after = withDrawings(before).replace(
    quoted,
    (_, open = "", since, close = "", fence, language, reference, tab = "") => {
      const text = quote(reference);
      const lines = since === undefined ? "" : `{${newLines(quote(since), text)}}`;
      return `${open}${since ?? ""}${close}${fence}${language}${lines} [${reference}]${tab}\n${text}${fence}`;
    },
  );
  if (after === before) continue;
  writeFileSync(join(root, path), after);
  process.stdout.write(`${path}\n`);
}
