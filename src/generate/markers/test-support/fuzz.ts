// Random texts, and a check that each is read in time, without an exception, and with valid positions.

import { collectMarkers, markerRegistry } from "../index.ts";

/** Parts of markers, and characters that markers don't contain. */
export const pieces: readonly string[] = [
  ..."+:=,;{}[]\"'`\\ \t.-_#/0123456789aeExXob",
  ...[":=", "true", "null", "0x1", "08", "1_0", "\\n", "\\x4", "\\u00e9", "é", "日本", "😀", "\ud800", "\ufeff", "\0"],
  ...["*/", "kubebuilder:", "k8s:", "validation:", "name"],
];

const names = markerRegistry.definitions.map((definition) => definition.name);
const argumentNames = markerRegistry.definitions.flatMap((definition) => definition.fields.map((field) => field.name));

type Random = (below: number) => number;

/** Returns a text similar to a marker: mostly a known name, followed by pieces of values. */
export function nearMarker(random: Random): string {
  const pick = <T>(values: readonly T[]) => values[random(values.length)]!;
  const start = random(4) === 0 ? "" : pick(names) + pick([":", "=", ":=", "", " = "]);
  const tail = Array.from({ length: random(14) }, () => (random(6) === 0 ? `${pick(argumentNames)}=` : pick(pieces)));
  return `+${start}${tail.join("")}`;
}

/** Returns random bytes as a text, like the content of a file that isn't UTF-8. */
export function randomBytes(random: Random): string {
  const bytes = Uint8Array.from({ length: random(60) }, () => random(256));
  return `${random(3) === 0 ? "" : "+"}${new TextDecoder().decode(bytes)}`;
}

const targets = ["package", "type", "field"] as const;

/** Reads a text. Returns the problem with the result; undefined if there is none. */
export function misread(text: string, random: Random): string | undefined {
  const column = 5;
  let wrong: string | undefined;
  const started = performance.now();
  try {
    collectMarkers([{ text, file: "/fuzz.ts", line: 1, column }], targets[random(3)]!, markerRegistry, (diagnostic) => {
      if (diagnostic.column < column || diagnostic.column > column + text.length) wrong = `column ${diagnostic.column}`;
      if (diagnostic.message === "") wrong = "no message";
    });
  } catch (error) {
    return `${JSON.stringify(text)}: ${String(error)}`;
  }
  const took = performance.now() - started;
  // Longer than any line requires, and than a pause of a busy machine.
  if (took > 2000) wrong = `${took} ms`;
  return wrong === undefined ? undefined : `${JSON.stringify(text)}: ${wrong}`;
}
