import type { Marker, MarkerValue, MarkerValues } from "../markers/index.ts";
import type { Finding } from "./finding.ts";

type ByText = ReadonlyMap<string, Marker>;

/** Thousands of findings may concern as many markers of one type, so the markers of a type are indexed once. */
const known = new WeakMap<MarkerValues, Map<string, ByText>>();

/** Returns the first marker with a name, or the first one that also has the given value. */
export function findMatchingMarker(
  markers: MarkerValues,
  name: string,
  matching: Finding["matching"],
): Marker | undefined {
  if (matching === undefined) return markers.first(name);
  const indexes = known.get(markers) ?? new Map<string, ByText>();
  known.set(markers, indexes);
  const args = typeof matching === "string" ? undefined : Object.keys(matching);
  const key = JSON.stringify([name, args]);
  const index = indexes.get(key) ?? indexOf(markers.get(name), args);
  indexes.set(key, index);
  return index.get(typeof matching === "string" ? matching : JSON.stringify(Object.values(matching)));
}

function indexOf(markers: readonly Marker[], args: readonly string[] | undefined): ByText {
  const index = new Map<string, Marker>();
  for (const marker of markers) {
    for (const text of args ? argumentTexts(marker.value, args) : texts(marker.value)) {
      if (!index.has(text)) index.set(text, marker);
    }
  }
  return index;
}

function texts(value: MarkerValue): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
}

/** Returns the elements of an argument that is a list, else the argument itself. */
function argumentTexts(value: MarkerValue, names: readonly string[]): string[] {
  const args = value as Readonly<Record<string, MarkerValue>>;
  const choices = names.map((name) => {
    const given = args[name] ?? "";
    return Array.isArray(given) ? ["", ...given.map(String)] : [String(given)];
  });
  const all = choices.reduce<string[][]>(
    (before, texts) => before.flatMap((each) => texts.map((text) => [...each, text])),
    [[]],
  );
  return all.map((each) => JSON.stringify(each));
}
