import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { HeaderOptions } from "./options/index.ts";

/** The text above generated files; a problem if the header's file can't be read. */
export function readHeader(
  options: HeaderOptions,
  cwd: string,
): { readonly text: string } | { readonly problem: string } {
  if (options.headerFile === undefined || options.headerFile === "") return { text: "" };
  try {
    const text = readFileSync(resolve(cwd, options.headerFile), "utf8");
    return { text: text.replaceAll(" YEAR", ` ${options.year}`) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return { problem: `cannot read the header file ${options.headerFile} (${code})` };
  }
}
