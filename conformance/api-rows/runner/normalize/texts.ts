// Replaces the values that a server chooses within texts.
import { clusterAddress, type Names, printedPort, uid } from "./names.ts";

/** Returns a text with stable names. */
export type TextRule = (text: string) => string;

const time = /(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(\.\d+)?( ?(?:Z|[+-]\d\d:?\d\d))/g;
const longTime =
  /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d ([+-]\d{4}|GMT|UTC)/g;
const threeDays = 3 * 86_400_000;
/** The age of everything that is older than the longest duration of Go, on all dates. */
const longestAge = "292y";

/**
 * Returns the rules for texts, in the order in which they apply.
 *
 * @param sent - the text of the requests. A time in it stays as it is, also if the scenario runs near that date.
 * @param now - milliseconds since 1970
 */
export function textRules(names: Names, sent: string, now: number): TextRule {
  const rules: readonly TextRule[] = [
    shorten,
    (text) => text.replace(uid, (match) => names.uids.get(match) ?? "<uid>"),
    (text) => replaceTimes(text, sent, now),
    (text) => names.generated.reduce((result, [generated, name]) => result.replaceAll(generated, name), text),
    (text) => text.replace(clusterAddress, (match) => names.addresses.get(match) ?? match),
    (text) =>
      text.replace(printedPort, (match, port: string) =>
        names.ports.has(port) ? `:${names.ports.get(port)}/` : match,
      ),
    (text) => replaceVersions(text, names),
    (text) => text.replace(/not decodable revision=\d+/g, "not decodable revision=<rv?>"),
    replaceProcess,
    (text) => (text.includes("\n") ? replacePrinted(text) : text),
  ];
  return (text) => rules.reduce((result, rule) => rule(result), text);
}

/** Whether a cell of a table is an age. */
export function isAge(cell: unknown): boolean {
  return typeof cell === "string" && cell !== longestAge && /^(\d+[smhdy])+$/.test(cell);
}

function shorten(text: string): string {
  const start = text.length > 1_000_000 ? `${text.slice(0, 200)}… ${text.length} characters` : text;
  return start.replace(/x{200,}/g, (match) => `<x:${match.length}>`);
}

/** Replaces the times within three days of now. */
function replaceTimes(text: string, sent: string, now: number): string {
  const isNear = (date: string): boolean => Math.abs(Date.parse(date) - now) < threeDays;
  return text
    .replace(time, (match, base: string, fraction: string | undefined, zone: string) => {
      if (!isNear(`${base.replace(" ", "T")}Z`) || sent.includes(base)) return match;
      // Go prints times with a space, a varying number of digits, and the zone of the machine.
      const isPrinted = base.includes(" ");
      const digits = fraction === undefined ? "" : `.${isPrinted ? "n" : fraction.length - 1}`;
      return `<time${digits}${zone === "Z" || isPrinted ? "" : zone}>`;
    })
    .replace(longTime, (match) => (isNear(match) ? "<longtime>" : match));
}

function replaceVersions(text: string, { versions }: Names): string {
  const replaced = text
    .replace(/(resource ?versions?"?[^0-9\n]{0,45}?)(\d{2,})\b/gi, (match, before: string, version: string) => {
      const name = versions.get(version);
      if (name !== undefined) return `${before}${name}`;
      return /Too large|too old/i.test(before) ? match : `${before}<rv?>`;
    })
    .replace(/(Too large resource version: )(?:\d+|<rv\?>)(, current: )\d+/g, "$1<asked>$2<rv?>")
    .replace(/too old resource version: (\d+) \(\d+\)/g, "too old resource version: $1 (<rv?>)");
  return versions.get(replaced) ?? replaced;
}

/** Replaces what depends on the process of the server: its connections, its build, and the order of its maps. */
function replaceProcess(text: string): string {
  const granted = text.replace(/selfType\d+/g, "selfType<n>");
  // Two default bindings grant the same permission. The authorizer reports either of them.
  const either = granted.startsWith("RBAC: allowed by ClusterRoleBinding")
    ? granted.replace(/system:(public-info-viewer|discovery)/g, "system:<discovery or public-info-viewer>")
    : granted;
  return either
    .replace(/127\.0\.0\.1:\d{4,5}->127\.0\.0\.1:\d{4,5}/g, "<connection>")
    .replace(/(dial tcp |read tcp |https?:\/\/)127\.0\.0\.1:\d{4,5}/g, "$1<addr>")
    .replace(/("(?:gitCommit|gitTreeState|buildDate|goVersion)": ")[^"\n]*"/g, '$1<build>"')
    .replace(/^([IWEF])\d{4} [\d:.]+ +\d+ /gm, "$1<klog> ");
}

/** Replaces the widths of columns, ages and temporary files in the output of kubectl. */
function replacePrinted(text: string): string {
  return text
    .replace(/(?<=\s)(?!292y\b)(\d+(?:ms|[smhdy])){1,2}(?=\s|\)|$)/g, "<age>")
    .replace(/(?<=\S)[ \t]{2,}(?=\S)/g, "  ")
    .replace(/\/tmp\/(LIVE|MERGED)-\d+/g, "<tmp>/$1")
    .replace(/kubectl-edit-\d+/g, "kubectl-edit-N")
    .replace(/(LIVE|MERGED)-\d+/g, "$1-N")
    .replace(/[ \t]+$/gm, "");
}

const errorStart =
  /, (?=(?:[\w.<>$/ -]|\[[^\]]*\])*: (?:Invalid value|Required value|Duplicate value|Unsupported value|Forbidden|Too long|Too many|Not found|Internal error|Too few)|<nil>: )/;

/** Sorts the errors in "X is invalid: [b, a]", because some of them are in the random order of a Go map. */
export function sortErrors(message: string): string {
  const match = /^([\s\S]*?: )\[([\s\S]*)\]$/.exec(message);
  if (match === null) return message;
  const [, start = "", errors = ""] = match;
  return `${start}[${errors.split(errorStart).sort().join(", ")}]`;
}
