import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { append, type Line, type Pane, type Style } from "./screen.ts";

const keyword =
  /\b(?:async|await|class|const|export|extends|from|if|implements|import|interface|new|private|readonly|return|this|throw|type)\b/;
const token = new RegExp(
  `(?<comment>//.*|/?\\*+.*)|(?<string>"[^"]*"|\`[^\`]*\`)|(?<keyword>${keyword.source})|(?<type>\\b[A-Z]\\w*)`,
  "g",
);
const styles: Readonly<Record<string, Style>> = {
  comment: { foreground: 8 },
  string: { foreground: 2 },
  keyword: { foreground: 5 },
  type: { foreground: 3 },
};

/** Shows the lines of a file around an edit, and the text that is typed. */
export class EditorPane implements Pane {
  readonly rows: number;
  readonly #root: string;
  #file = "";
  #lines: string[] = [];
  #row = 0;
  #column = 0;
  #isChanged = false;

  constructor(root: string, rows: number) {
    this.#root = root;
    this.rows = rows;
  }

  /** Title of the pane: the file, with a dot while it has changes. */
  get title(): string {
    return `${this.#file}${this.#isChanged ? " ●" : ""}`;
  }

  /** Opens a file with the cursor at the end of the line that contains a text. */
  open(file: string, after: string): void {
    this.#file = file;
    this.#isChanged = false;
    this.#lines = readFileSync(join(this.#root, file), "utf8").split("\n");
    this.#row = this.#lines.findIndex((line) => line.includes(after));
    if (this.#row < 0) throw new Error(`${file} doesn't contain ${after}`);
    this.#column = this.#lines[this.#row]?.length ?? 0;
  }

  /** Inserts a character at the cursor. A new line begins with the indentation of the current one. */
  type(character: string): void {
    this.#isChanged = true;
    const line = this.#lines[this.#row] ?? "";
    if (character === "\n") {
      const indent = /^ */.exec(line)?.[0] ?? "";
      this.#lines.splice(this.#row, 1, line.slice(0, this.#column), indent + line.slice(this.#column).trimStart());
      this.#row++;
      this.#column = indent.length;
    } else {
      this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column);
      this.#column += character.length;
    }
  }

  /** Writes the file. */
  save(): void {
    this.#isChanged = false;
    writeFileSync(join(this.#root, this.#file), this.#lines.join("\n"));
  }

  lines(): Line[] {
    const first = Math.max(0, Math.min(this.#row - Math.floor(this.rows / 2), this.#lines.length - this.rows));
    return Array.from({ length: this.rows }, (_, index) => {
      const number = first + index;
      const text = this.#lines[number];
      if (text === undefined) return [];
      const isCurrent = number === this.#row;
      const gutter = { text: `${String(number + 1).padStart(4)} `, style: { foreground: isCurrent ? 7 : 8 } };
      return [gutter, ...highlighted(text, isCurrent ? this.#column : -1)];
    });
  }
}

function highlighted(text: string, cursor: number): Line {
  const runs: { text: string; style: Style }[] = [];
  const styleAt: Style[] = Array.from({ length: text.length }, () => ({}));
  for (const match of text.matchAll(token)) {
    const name = Object.entries(match.groups ?? {}).find(([, group]) => group !== undefined)?.[0] ?? "";
    for (let index = 0; index < match[0].length; index++) styleAt[match.index + index] = styles[name] ?? {};
  }
  const shown = cursor >= text.length ? `${text} ` : text;
  for (const [index, character] of [...shown].entries()) {
    const style = styleAt[index] ?? {};
    append(runs, character, index === cursor ? { ...style, background: 7, foreground: 0 } : style);
  }
  return runs;
}
