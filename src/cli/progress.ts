import type { Terminal } from "./terminal.ts";

/** What is said of long work. */
export interface Told {
  /** While it goes on, such as `Installing packages with npm`. */
  readonly during: string;
  /** When it is done, such as `Packages are installed`. */
  readonly done: string;
}

/** Does long work: with a running clock where somebody watches, else with a line at its start and one at its end. */
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
