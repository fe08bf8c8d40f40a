/** A marker, from its `+` on. */
export interface GoMarker {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

interface Token {
  readonly kind: "comment" | "code";
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

const token = /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|'(?:[^'\\\n]|\\.)*'?|\w+|[^\s]/g;

function* tokensOf(text: string): Iterable<Token> {
  let [line, at] = [1, 0];
  for (const match of text.matchAll(token)) {
    const [whole, comment] = match;
    for (let next = text.indexOf("\n", at); next !== -1 && next < match.index; next = text.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    const kind = comment === undefined ? "code" : "comment";
    yield { kind, text: whole, line, endLine: line + whole.split("\n").length - 1 };
  }
}

/**
 * Returns the markers of a Go file that controller-gen reads for its package, such as those of roles and webhooks. As there,
 * these are the markers outside of declarations, except those in the documentation of a declaration: the comments that end on
 * the line above it.
 *
 * @param text - the file
 * @returns the markers in their order
 */
export function packageMarkers(text: string): GoMarker[] {
  const found: GoMarker[] = [];
  let depth = 0;
  /** The comments since the last code, in groups without an empty line. */
  let groups: Token[][] = [];
  let isPackageRead = false;
  let codeLine = 0;
  for (const each of tokensOf(text)) {
    if (each.kind === "comment") {
      if (depth > 0) continue;
      const previous = groups.at(-1)?.at(-1);
      const isNext = previous !== undefined && previous.line !== codeLine && each.line <= previous.endLine + 1;
      if (isNext) groups.at(-1)?.push(each);
      else groups.push([each]);
      continue;
    }
    if (depth === 0) {
      const isDocumented = groups.at(-1)?.at(-1)?.endLine === each.line - 1;
      if (isDocumented && isPackageRead) groups.pop();
      found.push(...groups.flat().flatMap(markerOf));
      groups = [];
      isPackageRead ||= each.text === "package";
    }
    if ("([{".includes(each.text)) depth++;
    else if (")]}".includes(each.text)) depth = Math.max(0, depth - 1);
    codeLine = each.endLine;
  }
  return [...found, ...groups.flat().flatMap(markerOf)];
}

function markerOf({ text, line }: Token): GoMarker[] {
  const marker = text.slice(2).trim();
  return text.startsWith("//") && marker.startsWith("+") ? [{ text: marker, line }] : [];
}

/** Returns a Go file without its comments. The code stays on its lines. */
export function withoutComments(text: string): string {
  return text.replace(token, (all, comment?: string) => (comment === undefined ? all : all.replace(/[^\n]/g, " ")));
}
