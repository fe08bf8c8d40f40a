import type { Marker, MarkerValue, MarkerValues } from "../markers/index.ts";
import type { Finding } from "./model/finding.ts";

type ByText = ReadonlyMap<string, Marker>;

/** Thousands of findings may concern as many markers of one type, so the markers of a type are indexed once. */
const indexesOfMarkers = new WeakMap<MarkerValues, Map<string, ByText>>();

/** Returns the first marker of a type or field that may cause a finding. */
export function findMatchingMarker(
  values: MarkerValues,
  { keywords = [], markers = [], matching }: Finding,
  forItems: boolean,
): Marker | undefined {
  const indexes = indexesOfMarkers.get(values) ?? new Map<string, ByText>();
  indexesOfMarkers.set(values, indexes);
  const args = typeof matching === "object" ? Object.keys(matching) : undefined;
  const key = JSON.stringify([keywords, markers, forItems, args ?? typeof matching]);
  const causes = ({ definition: { name, keyword, plainName } }: Marker) =>
    forItems === (plainName !== undefined) &&
    (markers.some((marker) => marker === name) || (keyword !== undefined && keywords.includes(keyword)));
  const textsOf = (value: MarkerValue) =>
    args ? argumentTexts(value, args) : matching === undefined ? [""] : texts(value);
  const index = indexes.get(key) ?? indexOf(values.all.filter(causes), textsOf);
  indexes.set(key, index);
  return index.get(typeof matching === "object" ? JSON.stringify(Object.values(matching)) : (matching ?? ""));
}

function indexOf(markers: readonly Marker[], textsOf: (value: MarkerValue) => readonly string[]): ByText {
  const index = new Map<string, Marker>();
  for (const marker of markers) {
    for (const text of textsOf(marker.value)) {
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
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
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
