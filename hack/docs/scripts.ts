import type { Block } from "./page.ts";
import { allPages } from "./pages.ts";
import { type Way, ways } from "./runs.ts";

/** A block of command lines. */
export interface Script {
  readonly page: string;
  /** Line of its opening fence, from 1. */
  readonly line: number;
  readonly text: string;
  /** Its commands as they are typed, comments behind them too. */
  readonly lines: readonly string[];
  /** The rows of the table that are for it: one. */
  readonly ways: readonly Way[];
}

/** All blocks of command lines, with how they are run. */
export function allScripts(): Script[] {
  const blocks = allPages().flatMap((page) => page.blocks);
  return blocks.filter(({ language }) => language === "sh").map(scriptOf);
}

function scriptOf({ page, line, text }: Block): Script {
  const found = Object.entries(ways[page] ?? {}).filter(([begin]) => text.startsWith(begin));
  const lines = text.replace(/\\\n/g, " ").split("\n");
  return { page, line, text, lines: lines.filter((each) => each.trim() !== ""), ways: found.map(([, way]) => way) };
}
