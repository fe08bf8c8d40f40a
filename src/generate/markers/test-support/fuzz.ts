// Texts that no one would write, and a check that each is read without an exception, in time and in place.

import { collectMarkers, markerRegistry } from "../index.ts";

/** What markers are made of, and what they should never meet. */
export const pieces: readonly string[] = [
  ..."+:=,;{}[]\"'`\\ \t.-_#/0123456789aeExXob",
  ...[":=", "true", "null", "0x1", "08", "1_0", "\\n", "\\x4", "\\u00e9", "é", "日本", "😀", "\ud800", "\ufeff", "\0"],
  ...["*/", "kubebuilder:", "k8s:", "validation:", "name"],
];

const names = markerRegistry.definitions.map((definition) => definition.name);
const argumentNames = markerRegistry.definitions.flatMap((definition) => definition.fields.map((field) => field.name));

type Random = (below: number) => number;

/** Nearly a marker: a known name, mostly, with pieces of values behind it. */
export function nearMarker(random: Random): string {
  const pick = <T>(values: readonly T[]) => values[random(values.length)]!;
  const start = random(4) === 0 ? "" : pick(names) + pick([":", "=", ":=", "", " = "]);
  const tail = Array.from({ length: random(14) }, () => (random(6) === 0 ? `${pick(argumentNames)}=` : pick(pieces)));
  return `+${start}${tail.join("")}`;
}

/** Any bytes, as a file that isn't UTF-8 would come in. */
export function randomBytes(random: Random): string {
  const bytes = Uint8Array.from({ length: random(60) }, () => random(256));
  return `${random(3) === 0 ? "" : "+"}${new TextDecoder().decode(bytes)}`;
}

const targets = ["package", "type", "field"] as const;

/** What is wrong with how a text is read; undefined if nothing is. */
export function misread(text: string, random: Random): string | undefined {
  const column = 5;
  let wrong: string | undefined;
  const started = performance.now();
  try {
    collectMarkers([{ text, file: "/fuzz.ts", line: 1, column }], targets[random(3)]!, markerRegistry, (found) => {
      if (found.column < column || found.column > column + text.length) wrong = `column ${found.column}`;
      if (found.message === "") wrong = "no message";
    });
  } catch (error) {
    return `${JSON.stringify(text)}: ${String(error)}`;
  }
  const took = performance.now() - started;
  // Far more than any line needs, and than a pause of a busy machine takes.
  if (took > 2000) wrong = `${took} ms`;
  return wrong === undefined ? undefined : `${JSON.stringify(text)}: ${wrong}`;
}
