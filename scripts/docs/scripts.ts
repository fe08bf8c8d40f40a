import type { Block } from "./page.ts";
import { allPages } from "./pages.ts";
import type { Procedure } from "./procedure.ts";
import { procedures } from "./runs.ts";

/** A block of command lines. */
export interface Script {
  readonly page: string;
  /** The line of its opening fence, counting from 1. */
  readonly line: number;
  readonly text: string;
  /** Its commands as typed, including trailing comments. */
  readonly lines: readonly string[];
  /** The matching table entries, which must be exactly one. */
  readonly procedures: readonly Procedure[];
}

/** Returns all blocks of command lines, with the procedures that test them. */
export function allScripts(): Script[] {
  const blocks = allPages().flatMap((page) => page.blocks);
  return blocks.filter(({ language }) => language === "sh").map(scriptOf);
}

function scriptOf({ page, line, text }: Block): Script {
  const matching = Object.entries(procedures[page] ?? {}).filter(([begin]) => text.startsWith(begin));
  const lines = text.replace(/\\\n/g, " ").split("\n");
  return {
    page,
    line,
    text,
    lines: lines.filter((each) => each.trim() !== ""),
    procedures: matching.map(([, procedure]) => procedure),
  };
}
