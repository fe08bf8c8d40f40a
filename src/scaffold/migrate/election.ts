import { dirname } from "node:path";
import { evaluate, expressionOf, GoCode, leasePlaces, settingsIn } from "./lease.ts";
import type { GoFile } from "./left-behind.ts";

const otherLock = /\bleader\.Become\(|\bresourcelock\.(?:New\w*\(|LeaseLock\{)|\bleaderelection\.RunOrDie\(/;

/**
 * Finds elections that don't use the manager's options: those of client-go and of operator-sdk, whose locks have other forms.
 *
 * @returns the first place, such as `main.go:12: leader.Become(`
 */
export function otherElection(files: readonly GoFile[]): string | undefined {
  const code = new GoCode(files);
  return otherIn(code, code.paths());
}

function otherIn(code: GoCode, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const match = otherLock.exec(code.text(path));
    if (match !== null) return `${code.at(path, match.index)}: ${match[0]}`;
  }
  return undefined;
}

/**
 * Lists the reasons for which the Go operator and the new one can reconcile at the same time, although their Leases have the same name:
 * another lock, a Lease in another namespace, and no election at all.
 *
 * @param namespace - of the new operator; undefined if it isn't known
 */
export function electionNotes(
  files: readonly GoFile[],
  projectName: string,
  namespace: string | undefined,
): readonly string[] {
  const code = new GoCode(files);
  const settings = settingsIn(files);
  const mains = [...new Set(leasePlaces(code, settings, projectName).map(({ path }) => path))];
  if (mains.length === 0) return [];
  const together = "so the Go operator can run at the same time as the new one: stop it first";
  const notes: string[] = [];
  const other = otherIn(
    code,
    mains.flatMap((path) => code.inDirectory(dirname(path))),
  );
  if (other !== undefined)
    notes.push(`the Go operator elects its leader with another lock, too (${other}), ${together}`);
  for (const path of mains) {
    for (const { at, expression } of valuesOf(code, path, "LeaderElectionNamespace")) {
      const value = evaluate(code, settings, path, expression);
      if (value === "" || (value !== undefined && value === namespace)) continue;
      notes.push(
        `${at}: the Lease of the Go operator ${value === undefined ? "may be" : "is"} in another namespace than that of the manager: set leaderElectionNamespace in src/main.ts, and move the Role and RoleBinding of the Lease to that namespace`,
      );
    }
  }
  const switches = mains.flatMap((path) => valuesOf(code, path, "LeaderElection").map((each) => ({ ...each, path })));
  if (
    other === undefined &&
    switches.length > 0 &&
    switches.every(({ path, expression }) => isOff(code, settings, path, expression))
  )
    notes.push(`${switches[0]?.at}: the Go operator doesn't elect a leader, ${together}`);
  return notes;
}

/** Returns the expressions that a file assigns to a field. */
function valuesOf(code: GoCode, path: string, field: string): { at: string; expression: string }[] {
  const text = code.text(path);
  const pattern = new RegExp(String.raw`\b${field}[ \t]*(?::|=(?!=))[ \t]*([^\n]*)`, "g");
  return [...text.matchAll(pattern)].map(({ 0: whole, 1: rest = "", index }) => ({
    at: `${code.at(path, index)}: ${whole.trim().replace(/,$/, "")}`,
    expression: expressionOf(rest),
  }));
}

/** Whether a switch is certainly off: the literal, or a flag that is off by default and that no Deployment sets. */
function isOff(code: GoCode, settings: readonly GoFile[], path: string, expression: string): boolean {
  if (expression === "false") return true;
  const [, name] = /^\*?(\w+)$/.exec(expression) ?? [];
  if (name === undefined || settings.length === 0) return false;
  const pattern = new RegExp(
    String.raw`\bBoolVarP?\(\s*&${name}\s*,\s*"([\w.-]+)"\s*,(?:\s*"\w?"\s*,)?\s*(\w+)|\b${name}\s*:?=\s*(?:\w+\.)*Bool\(\s*"([\w.-]+)"\s*,\s*(\w+)`,
  );
  const [, flag, fallback, other, otherFallback] = pattern.exec(code.text(path)) ?? [];
  if ((fallback ?? otherFallback) !== "false") return false;
  const isSet = new RegExp(String.raw`^[^#\n]*(?<![\w-])--?${flag ?? other}(?![\w-]|=["']?false)`, "m");
  return !settings.some(({ text }) => isSet.test(text()));
}
