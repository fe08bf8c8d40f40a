import { fitsBlock } from "../invent/texts.ts";
import type { Comments } from "../model.ts";

/**
 * Formats comments in TypeScript. Style 0: text in JSDoc, then markers in `//` lines; 1: markers in the JSDoc too; 2:
 * markers before it; 3: only `//` lines.
 */
export function typeScriptComments(comments: Comments, indent: string): string {
  const markers = comments.markers.map((marker) => `+${marker}`);
  const above = lines(
    comments.above.map((marker) => `+${marker}`),
    indent,
  );
  return `${above}${above ? "\n" : ""}${ownComments(comments, markers, indent)}`;
}

function ownComments({ doc, style }: Comments, markers: string[], indent: string): string {
  if (style === 3 || !doc.every(fitsBlock)) {
    const separated = doc.some((line) => line.includes("\u2028"));
    if (!separated) return style === 2 ? lines([...markers, ...doc], indent) : lines([...doc, ...markers], indent);
  }
  if (style === 1 && markers.every(fitsBlock)) return block([...doc, ...markers], indent);
  if (style === 2) return lines(markers, indent) + block(doc, indent);
  return block(doc, indent) + lines(markers, indent);
}

function block(texts: readonly string[], indent: string): string {
  const [first] = texts;
  if (first === undefined) return "";
  if (texts.length === 1 && first.trim() === first && first !== "") return `${indent}/** ${first} */\n`;
  return `${indent}/**\n${texts.map((text) => `${indent} *${text === "" ? "" : " "}${text}\n`).join("")}${indent} */\n`;
}

function lines(texts: readonly string[], indent: string): string {
  return texts.map((text) => `${indent}//${text === "" ? "" : " "}${text}\n`).join("");
}
