import type { MarkerDefinition, MarkerTarget } from "./model/definition.ts";
import type { Synonym } from "./model/effects.ts";
import { splitMarker } from "./split.ts";

/** Markers or options. */
export interface Registry {
  readonly definitions: readonly MarkerDefinition[];
  /** By exact name. */
  get(name: string, target: MarkerTarget): MarkerDefinition | undefined;
  /**
   * Finds the marker in a text, from the `+` on. Tries the text before the first `=` as a name, and then without its last
   * segment, which is the name of the first argument.
   */
  lookup(text: string, target: MarkerTarget): MarkerDefinition | undefined;
  /** Returns the targets that the name is registered for, in the order package, type, field, option. */
  targetsOf(name: string): readonly MarkerTarget[];
  names(target: MarkerTarget): readonly string[];
  /** Returns the markers that a JSDoc tag is a synonym of. */
  synonymsOf(tag: string, target: MarkerTarget): readonly (Synonym & { readonly definition: MarkerDefinition })[];
}

const TARGETS: readonly MarkerTarget[] = ["package", "type", "field", "value", "option"];

/** Indexes definitions. Throws for duplicates, which are a bug. */
export function createRegistry(definitions: readonly MarkerDefinition[]): Registry {
  const byTarget = new Map<MarkerTarget, Map<string, MarkerDefinition>>(TARGETS.map((target) => [target, new Map()]));
  for (const definition of definitions) {
    const byName = byTarget.get(definition.target)!;
    if (byName.has(definition.name)) {
      throw new Error(`marker ${definition.name} is defined twice for the target ${definition.target}`);
    }
    byName.set(definition.name, definition);
  }
  const synonyms = definitions.flatMap((definition) =>
    (definition.synonyms ?? []).map((synonym) => ({ ...synonym, definition })),
  );
  const get = (name: string, target: MarkerTarget) => byTarget.get(target)?.get(name);
  return {
    definitions,
    get,
    lookup(text, target) {
      const { shortName, fullName } = splitMarker(text);
      return get(fullName, target) ?? get(shortName, target);
    },
    targetsOf: (name) => TARGETS.filter((target) => byTarget.get(target)!.has(name)),
    synonymsOf: (tag, target) =>
      synonyms.filter((synonym) => synonym.tag === tag && synonym.definition.target === target),
    names: (target) => [...byTarget.get(target)!.keys()],
  };
}
