import { isMap, isNode, isScalar, type Pair, type YAMLMap } from "yaml";
import { editDocument } from "../../yaml/document.ts";

/**
 * Merges two sets of changes of a YAML text key by key, as `mergeJson` does for JSON. If both changed the same value, the
 * user's version wins. Preserves the user's comments and order. Returns undefined if one of the texts isn't a map.
 *
 * @param base the text that was scaffolded
 * @param yours the user's version
 * @param next the text that would be scaffolded now
 */
export function mergeYaml(base: string, yours: string, next: string): string | undefined {
  const [old, mine, will] = [base, yours, next].map((text) => editDocument(text));
  if (old === undefined || mine === undefined || will === undefined) return undefined;
  if ([old, mine, will].some(({ contents, errors }) => !isMap(contents) || errors.length > 0)) return undefined;
  const changed = mergeMaps(old.contents as YAMLMap, mine.contents as YAMLMap, will.contents as YAMLMap);
  return changed ? mine.toString({ lineWidth: 0 }) : yours;
}

const keyOf = (pair: Pair) => String(isScalar(pair.key) ? pair.key.value : pair.key);
const pairOf = (map: YAMLMap | undefined, key: string) => map?.items.find((pair) => keyOf(pair) === key);
const plain = (pair: Pair | undefined) =>
  pair === undefined ? undefined : JSON.stringify(isNode(pair.value) ? pair.value.toJSON() : pair.value);
const mapOf = (pair: Pair | undefined) => (isMap(pair?.value) ? pair.value : undefined);

/** Merges maps in place, and returns whether `mine` has changed. */
function mergeMaps(old: YAMLMap | undefined, mine: YAMLMap, next: YAMLMap): boolean {
  let changed = false;
  for (const [at, pair] of next.items.entries()) {
    const key = keyOf(pair);
    const [was, is] = [pairOf(old, key), pairOf(mine, key)];
    if (is === undefined) {
      // A key that the user removed isn't added again.
      if (was !== undefined) continue;
      const before = next.items[at - 1];
      const place = before === undefined ? 0 : mine.items.findIndex((each) => keyOf(each) === keyOf(before)) + 1;
      mine.items.splice(place, 0, pair);
      changed = true;
    } else if (isMap(is.value) && isMap(pair.value)) {
      changed = mergeMaps(mapOf(was), is.value, pair.value) || changed;
    } else if (plain(was) === plain(is) && plain(is) !== plain(pair)) {
      is.value = pair.value;
      changed = true;
    }
  }
  const gone = mine.items.filter((pair) => {
    const [was, will] = [pairOf(old, keyOf(pair)), pairOf(next, keyOf(pair))];
    return will === undefined && was !== undefined && plain(was) === plain(pair);
  });
  for (const pair of gone) mine.items.splice(mine.items.indexOf(pair), 1);
  return changed || gone.length > 0;
}
