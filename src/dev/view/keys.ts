import { emitKeypressEvents } from "node:readline";

/** The keys of a session. */
export type Keys = Readonly<Record<string, () => void>>;

/**
 * Calls functions for keys. Ctrl-C calls that of `q`.
 *
 * @param input - a terminal
 * @param keys - the functions by key
 * @returns a function that restores the terminal
 */
export function listenToKeys(input: NodeJS.ReadStream, keys: Keys): () => void {
  if (input.isTTY !== true) return () => undefined;
  emitKeypressEvents(input);
  input.setRawMode(true);
  input.resume();
  const onKey = (_text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined): void => {
    const name = key?.ctrl ? (key.name === "c" || key.name === "d" ? "q" : "") : (key?.name ?? "");
    if (Object.hasOwn(keys, name)) keys[name]?.();
  };
  // A closed terminal.
  const onEnd = (): void => keys.q?.();
  input.on("keypress", onKey);
  input.once("end", onEnd);
  return () => {
    input.off("keypress", onKey);
    input.off("end", onEnd);
    input.setRawMode(false);
    input.pause();
  };
}
