import headless from "@xterm/headless";

/** How a text looks. Colors are numbers of the terminal's palette, or `#rrggbb`. */
export interface Style {
  readonly foreground?: number | string;
  readonly background?: number | string;
  readonly bold?: boolean;
  readonly dim?: boolean;
}

/** A text with one style. */
export interface Run {
  readonly text: string;
  readonly style: Style;
}

/** A line of a screen, without spaces at its end. */
export type Line = readonly Run[];

/** A part of the screen. */
export interface Pane {
  readonly rows: number;
  lines(): Line[];
}

/** A terminal that understands control sequences. */
export class TerminalPane implements Pane {
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  readonly #columns: number;
  #cursor = true;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  resize(rows: number): void {
    this.#terminal.resize(this.#columns, rows);
  }

  showCursor(shown: boolean): void {
    this.#cursor = shown;
  }

  /** Writes a text, and resolves once the screen shows it. */
  write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  lines(): Line[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.rows }, (_, row) => {
      const cursor = this.#cursor && row === active.cursorY ? active.cursorX : -1;
      return this.#line(active.viewportY + row, cursor);
    });
  }

  #line(row: number, cursor: number): Line {
    const line = this.#terminal.buffer.active.getLine(row);
    const runs: { text: string; style: Style }[] = [];
    for (let column = 0; line && column < this.#columns; column++) {
      const cell = line.getCell(column);
      if (!cell || cell.getWidth() === 0) continue;
      const foreground = cell.isFgDefault() ? undefined : cell.isFgRGB() ? hex(cell.getFgColor()) : cell.getFgColor();
      const style: Style = {
        ...(foreground === undefined ? {} : { foreground }),
        ...(cell.isBold() ? { bold: true } : {}),
        ...(cell.isDim() ? { dim: true } : {}),
        ...(column === cursor ? { background: 7 } : {}),
      };
      append(runs, cell.getChars() || " ", style);
    }
    return trimmed(runs);
  }
}

/** Adds a text to the last run if it has the same style. */
export function append(runs: { text: string; style: Style }[], text: string, style: Style): void {
  const last = runs.at(-1);
  if (last && JSON.stringify(last.style) === JSON.stringify(style)) last.text += text;
  else runs.push({ text, style });
}

function trimmed(runs: { text: string; style: Style }[]): Line {
  for (let last = runs.at(-1); last && last.style.background === undefined; last = runs.at(-1)) {
    last.text = last.text.trimEnd();
    if (last.text !== "") break;
    runs.pop();
  }
  return runs;
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, "0")}`;
}
