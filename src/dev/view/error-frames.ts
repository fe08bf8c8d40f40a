import type { DevEvent } from "@kubewright/dashboard/protocol";
import { codeFrame } from "../build/code-frame.ts";

/** Number of errors that are remembered. */
const maxShown = 1000;

/** The code frames of failed reconciles. Each error has its frame once per manager: retries would repeat it. */
export class ErrorFrames {
  readonly #root: string;
  readonly #shown = new Set<string>();

  /** @param root - the project */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the lines around the position of a reconcile's error; `undefined` if they were shown. */
  of(event: DevEvent): string | undefined {
    if (event.event === "started") this.#shown.clear();
    if (event.event !== "reconciled" || event.file === undefined || event.line === undefined) return undefined;
    const { file, line, column = 0, error } = event;
    const key = `${file}:${line} ${error}`;
    if (this.#shown.has(key)) return undefined;
    // Messages can contain times or ids, so that none is repeated.
    if (this.#shown.size >= maxShown) this.#shown.clear();
    this.#shown.add(key);
    return codeFrame(this.#root, file, line, column);
  }
}
