import type { Terminal } from "./terminal.ts";

/** The messages for long-running work. */
export interface Told {
  /** Message during the work, such as `Installing packages with npm`. */
  readonly during: string;
  /** Message at the end, such as `Installed packages`. */
  readonly done: string;
}

/** Runs long work. Shows the elapsed seconds on a terminal, and otherwise prints one line at the start and one at the end. */
export async function withProgress<T>(terminal: Terminal, { during, done }: Told, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  if (!terminal.live) terminal.note(`${during} …`);
  const draw = () => terminal.redraw(`${during} … ${Math.floor(seconds())} s`);
  const clock = terminal.live ? setInterval(draw, 1000) : undefined;
  if (terminal.live) draw();
  try {
    const result = await work();
    if (terminal.live) terminal.redraw();
    terminal.note(`${done} (${seconds().toFixed(1)} s)`);
    return result;
  } catch (error) {
    if (terminal.live) terminal.redraw();
    throw error;
  } finally {
    clearInterval(clock);
  }
}
