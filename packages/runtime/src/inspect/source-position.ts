/** A position in a source of the project. */
export interface SourcePosition {
  file: string;
  line: number;
  column: number;
}

const frame = /(?:\(|at (?:async )?)((?:file:\/\/)?[^\s()]+):(\d+):(\d+)\)?$/;

/**
 * Returns the position of the first frame of a stack trace in the project's own sources: neither in Node.js nor in a
 * package.
 *
 * @param stack - the stack trace, with source maps applied
 * @param root - directory of the project, from which absolute paths become relative
 */
export function sourcePosition(stack: string, root: string): SourcePosition | undefined {
  for (const line of stack.split("\n")) {
    const match = frame.exec(line.trim());
    if (!match) continue;
    const [, path = "", row, column] = match;
    if (/(^|[\\/])node_modules[\\/]|^node:|^internal\//.test(path)) continue;
    return { file: relative(path, root), line: Number(row), column: Number(column) };
  }
  return undefined;
}

function relative(path: string, root: string): string {
  const plain = path.replace(/^file:\/\//, "");
  const base = root.endsWith("/") ? root : `${root}/`;
  return plain.startsWith(base) ? plain.slice(base.length) : plain;
}
