import type { ManagerEnd } from "./manager-process.ts";

/** Lines of Node.js around an error, and those of its own stack traces. */
const aside = /^(?:\s+at |Emitted '.*' event |Node\.js v\d|\s*\^+\s*$|-+ |<---|\s*\d+: 0x[\da-f]+|\[\d+:0x[\da-f]+\])/;

/** Returns how a manager ended, with the line of its output that explains it. */
export function endMessage({ how, output }: Pick<ManagerEnd, "how" | "output">): string {
  const fatal = output.findLast((line) => line.startsWith("FATAL ERROR: "));
  const reason =
    fatal ??
    withoutProperties(output)
      .map(explanation)
      .findLast((line) => line !== undefined);
  return `the manager ended with ${how}${reason === undefined ? "" : `: ${reason}`}`;
}

function explanation(line: string): string | undefined {
  if (!line.startsWith("{")) return aside.test(line) || line.trim() === "" ? undefined : line;
  try {
    const { level, msg, error } = JSON.parse(line) as { level?: string; msg?: string; error?: string };
    return level === "error" ? [msg, error].filter(Boolean).join(": ") : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves out the properties of errors, such as the code of a system error: Node.js prints them below the stack trace. */
function withoutProperties(output: readonly string[]): readonly string[] {
  let isInside = false;
  return output.filter((line) => {
    if (isInside) {
      isInside = line !== "}";
      return false;
    }
    isInside = /^\s+at .* \{$/.test(line);
    return true;
  });
}
