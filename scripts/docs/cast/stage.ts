import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { Pty } from "../../test-support/pty.ts";
import { EditorPane } from "./editor.ts";
import { condensed, type Frame, type Recording } from "./recording.ts";
import { type Line, TerminalPane } from "./screen.ts";

/** Milliseconds between two keys, and between two frames. */
const keyTime = 55;
const frameTime = 50;
/** Milliseconds for a command to print what the recording waits for. */
const commandTimeout = 180_000;

/** Directory, environment and size of a recording. */
export interface StageOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns: number;
  readonly rows: number;
}

/** Records a terminal, and below it an editor or a second terminal. */
export class Stage {
  readonly #options: StageOptions;
  readonly #terminal: TerminalPane;
  readonly #frames: Frame[] = [];
  readonly #holds: number[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #started = performance.now();
  /** Below the terminal. */
  #below: { readonly title: string; readonly pane: EditorPane | TerminalPane } | undefined;
  #editor: EditorPane | undefined;
  #isFast = false;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#terminal = new TerminalPane(options.columns, options.rows);
    this.#timer = setInterval(() => this.#record(), frameTime);
  }

  /** Types a command at a prompt and runs it. Resolves when it has started. */
  async command(shown: string, command = shown): Promise<Pty> {
    const pane = this.#below?.pane instanceof TerminalPane ? this.#below.pane : this.#terminal;
    pane.showCursor(true);
    await pane.write("\u001b[32m$\u001b[0m ");
    await this.pause(400);
    for (const key of shown) {
      await pane.write(key);
      await sleep(keyTime * (0.6 + 0.8 * ((key.charCodeAt(0) * 7) % 10) * 0.1));
    }
    await this.pause(250);
    await pane.write("\r\n");
    pane.showCursor(false);
    const { cwd, env, columns } = this.#options;
    const pty = new Pty(command, { cwd, env, columns, rows: pane.rows });
    pty.onOutput((text) => void pane.write(text));
    return pty;
  }

  /** Runs a command to its end. */
  async run(shown: string, command = shown): Promise<void> {
    await this.finished(await this.command(shown, command));
    await this.pause(700);
  }

  /** Waits for the successful end of a command. */
  async finished(pty: Pty): Promise<void> {
    this.#isFast = true;
    const code = await pty.ended;
    this.#isFast = false;
    if (code !== 0) throw new Error(`a command ended with ${code}:\n${pty.output}`);
  }

  /** Clears the terminal. */
  async clear(): Promise<void> {
    await this.#terminal.write("\u001b[2J\u001b[H");
  }

  /** Opens an editor below the terminal. */
  openEditor(rows: number): void {
    this.#terminal.resize(this.#options.rows - rows - 1);
    this.#editor = new EditorPane(this.#options.cwd, rows);
    const pane = this.#editor;
    this.#below = {
      get title() {
        return pane.title;
      },
      pane,
    };
  }

  /** Opens a second terminal in place of the editor. */
  openShell(rows: number): void {
    this.#terminal.resize(this.#options.rows - rows - 1);
    this.#below = { title: "a second terminal", pane: new TerminalPane(this.#options.columns, rows) };
  }

  /** Types into the editor, and saves. */
  async edit(file: string, after: string, text: string): Promise<void> {
    if (!this.#editor) throw new Error("the editor isn't open");
    this.#editor.open(file, after);
    await this.pause(900);
    for (const character of text) {
      this.#editor.type(character);
      await sleep(keyTime * 0.7);
    }
    await this.pause(500);
    this.#editor.save();
  }

  /** Waits until a command has printed a text after a position of its output without colors. Returns the position behind it. */
  async sees(pty: Pty, text: string, from = 0): Promise<number> {
    for (const end = Date.now() + commandTimeout; Date.now() < end; await sleep(20)) {
      const index = uncolored(pty).indexOf(text, from);
      if (index >= 0) return index + text.length;
    }
    throw new Error(`${text} isn't in the output:\n${pty.output}`);
  }

  /** Waits, so that a viewer can read. */
  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds);
    this.#holds.push(performance.now() - this.#started);
    this.#record();
  }

  /** Ends the recording. */
  end(): Recording {
    clearInterval(this.#timer);
    this.#record();
    const { columns, rows } = this.#options;
    return { columns, rows, frames: condensed(this.#frames, this.#holds) };
  }

  #record(): void {
    const { columns } = this.#options;
    const below: Line[] = this.#below ? [rule(this.#below.title, columns), ...this.#below.pane.lines()] : [];
    this.#frames.push({
      time: performance.now() - this.#started,
      isFast: this.#isFast,
      lines: [...this.#terminal.lines(), ...below],
    });
  }
}

/** Returns what a command has printed, without colors. */
export function uncolored({ output }: Pty): string {
  return stripVTControlCharacters(output);
}

function rule(title: string, columns: number): Line {
  return [
    { text: "── ", style: { foreground: 8 } },
    { text: title, style: { foreground: 4 } },
    { text: ` ${"─".repeat(columns - title.length - 4)}`, style: { foreground: 8 } },
  ];
}
