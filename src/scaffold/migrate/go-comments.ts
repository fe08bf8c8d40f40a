/** A marker, from its `+` on. */
export interface GoMarker {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

interface Token {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

/** Comments without an empty line between them. */
interface CommentGroup {
  readonly comments: Token[];
  /** Whether it begins behind code, on the same line. */
  readonly isTrailing: boolean;
}

/** Code with the comments before it. At the end of the file, its text is empty. */
interface Code extends Token {
  readonly groups: CommentGroup[];
}

const token =
  /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|'(?:[^'\\\n]|\\.)*'?|[\p{L}\p{N}_]+|[^\s]/gu;

function codeOf(text: string): Code[] {
  const codes: Code[] = [];
  let groups: CommentGroup[] = [];
  let [line, at] = [1, 0];
  for (const match of text.matchAll(token)) {
    const [whole, comment] = match;
    for (let next = text.indexOf("\n", at); next !== -1 && next < match.index; next = text.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    const found = { text: whole, line, endLine: line + whole.split("\n").length - 1 };
    if (comment !== undefined) addComment(groups, found, codes.at(-1)?.endLine);
    else {
      codes.push({ ...found, groups });
      groups = [];
    }
  }
  return [...codes, { text: "", line: Number.POSITIVE_INFINITY, endLine: Number.POSITIVE_INFINITY, groups }];
}

function addComment(groups: CommentGroup[], comment: Token, codeLine: number | undefined): void {
  const last = groups.at(-1);
  const end = last?.comments.at(-1)?.endLine;
  const isNext = end !== undefined && comment.line <= (last?.isTrailing === true ? end : end + 1);
  if (isNext) last?.comments.push(comment);
  else groups.push({ comments: [comment], isTrailing: groups.length === 0 && comment.line === codeLine });
}

/**
 * Returns the markers of a Go file that controller-gen reads for its package, such as those of roles and webhooks. As there, these are
 * the comments between declarations, and in a group of types the last comment above each type. Not read are the documentation of a
 * declaration, which ends on the line above it, and a comment at the end of an import, a type, a variable or a constant.
 *
 * @param text - the file
 * @returns the markers in their order
 */
export function packageMarkers(text: string): GoMarker[] {
  const codes = codeOf(text);
  const skipped = new Set<CommentGroup>();
  const read = [...readInTypeGroups(codes, skipped), ...readBetweenDeclarations(codes, skipped)];
  return read.flatMap(({ comments }) => comments.flatMap(markerOf)).sort((a, b) => a.line - b.line);
}

/** Returns all markers of a Go file, wherever they are. */
export function allMarkers(text: string): GoMarker[] {
  return codeOf(text).flatMap(({ groups }) => groups.flatMap(({ comments }) => comments.flatMap(markerOf)));
}

function readBetweenDeclarations(codes: readonly Code[], skipped: Set<CommentGroup>): CommentGroup[] {
  const found: CommentGroup[] = [];
  for (let start = 0; start < codes.length; ) {
    const code = codes[start];
    if (code === undefined) break;
    const groups = code.text === "package" ? code.groups : undocumented(code);
    found.push(...groups.filter((group) => !skipped.has(group)));
    const end = statementEnd(codes, start);
    const isSingle = /^(?:import|const|var|type)$/.test(code.text) && codes[start + 1]?.text !== "(";
    if (isSingle) skipTrailing(codes, end, skipped);
    start = end;
  }
  return found;
}

/** Returns the comments that controller-gen reads in `type (…)`, also in functions. */
function readInTypeGroups(codes: readonly Code[], skipped: Set<CommentGroup>): CommentGroup[] {
  const found: CommentGroup[] = [];
  codes.forEach(({ text }, index) => {
    if (text !== "type" || codes[index + 1]?.text !== "(") return;
    for (let start = index + 2; start < codes.length; ) {
      const code = codes[start];
      if (code === undefined || code.text === ")" || code.text === "") break;
      found.push(
        ...undocumented(code)
          .filter((group) => !skipped.has(group))
          .slice(-1),
      );
      const end = statementEnd(codes, start);
      skipTrailing(codes, end, skipped);
      start = end;
    }
  });
  return found;
}

/** Returns the comments before code without its documentation. */
function undocumented({ groups, line }: Code): CommentGroup[] {
  const last = groups.at(-1);
  const isDocumentation = last?.isTrailing === false && last.comments.at(-1)?.endLine === line - 1;
  return isDocumentation ? groups.slice(0, -1) : groups;
}

/** Skips the comment at the end of a specification. */
function skipTrailing(codes: readonly Code[], end: number, skipped: Set<CommentGroup>): void {
  const [group] = codes[end]?.groups ?? [];
  if (group?.isTrailing === true) skipped.add(group);
}

/** Words at which a line can't end a statement outside of functions. */
const openWord = /^(?:package|import|const|var|type|func|struct|interface|map|chan)$/;

/** Returns the index after a statement, where Go puts a semicolon. */
function statementEnd(codes: readonly Code[], start: number): number {
  let depth = 0;
  for (let index = start; index < codes.length - 1; index++) {
    const { text, endLine } = codes[index] as Code;
    if ("([{".includes(text)) depth++;
    else if (")]}".includes(text)) depth--;
    if (depth > 0) continue;
    const next = codes[index + 1] as Code;
    const canEnd = /^[\p{L}\p{N}_"'`)\]}]/u.test(text) && !openWord.test(text);
    if (text === ";" || next.text === ")" || (canEnd && next.line > endLine)) return index + 1;
  }
  return Math.max(start + 1, codes.length - 1);
}

function markerOf({ text, line }: Token): GoMarker[] {
  const marker = text.slice(2).trim();
  return text.startsWith("//") && marker.startsWith("+") ? [{ text: marker, line }] : [];
}

/** Returns a Go file without its comments. The code stays on its lines. */
export function withoutComments(text: string): string {
  return text.replace(token, (all, comment?: string) => (comment === undefined ? all : all.replace(/[^\n]/g, " ")));
}
