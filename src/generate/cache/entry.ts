import type { GeneratedOutput } from "../generators/run-generators.ts";
import type { Observation } from "./recording.ts";

/** A result with the observations that it depends on. */
export interface Entry {
  readonly observations: readonly Observation[];
  readonly made: GeneratedOutput;
}

/** The header of an entry; the texts of the files follow it, each `bytes` long. */
interface Head extends Pick<Entry, "observations"> {
  readonly diagnostics: GeneratedOutput["diagnostics"];
  readonly files: readonly (Omit<GeneratedOutput["files"][number], "text"> & { readonly bytes: number })[];
}

/** Encodes an entry as a line of JSON, followed by the texts as they are, which is fast to read. */
export function encodeEntry({ observations, made }: Entry): Buffer {
  const texts = made.files.map((file) => Buffer.from(file.text));
  const files = made.files.map(({ text: _, ...file }, index) => ({ ...file, bytes: texts[index]?.length ?? 0 }));
  const head: Head = { observations, diagnostics: made.diagnostics, files };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...texts]);
}

/** Decodes an entry. */
export function decodeEntry(bytes: Buffer): Entry {
  let at = bytes.indexOf("\n") + 1;
  const head = JSON.parse(bytes.toString("utf8", 0, at)) as Head;
  const files = head.files.map(({ bytes: length, ...file }) => {
    at += length;
    return Object.freeze({ ...file, text: bytes.toString("utf8", at - length, at) });
  });
  return { observations: head.observations, made: { files, diagnostics: head.diagnostics } };
}
