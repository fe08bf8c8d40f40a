import { resolve } from "node:path";
import type { HeaderOptions } from "./options/index.ts";
import type { Files } from "./source/files.ts";

/** Reads the header of generated files; returns a problem if the file can't be read. */
export function readHeader(
  options: Partial<HeaderOptions>,
  cwd: string,
  files: Files,
): { readonly text: string } | { readonly problem: string } {
  if (options.headerFile === undefined || options.headerFile === "") return { text: "" };
  try {
    const text = files.read(resolve(cwd, options.headerFile));
    return { text: text.replaceAll(" YEAR", ` ${options.year ?? ""}`) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return { problem: `cannot read the header file ${options.headerFile} (${code})` };
  }
}
