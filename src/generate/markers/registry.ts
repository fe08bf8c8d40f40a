import type { MarkerDefinition, MarkerTarget } from "./definition.ts";
import { splitMarker } from "./split.ts";

/** Every marker and option there is. */
export interface Registry {
  readonly definitions: readonly MarkerDefinition[];
  /** By exact name. */
  get(name: string, target: MarkerTarget): MarkerDefinition | undefined;
  /**
   * By text, from the `+` on: the whole left side of the first `=` is tried as a name before the same without its
   * last segment, which then is the first argument's name.
   */
  lookup(text: string, target: MarkerTarget): MarkerDefinition | undefined;
  /** The targets that know the name, in the order package, type, field, option. */
  targetsOf(name: string): readonly MarkerTarget[];
  names(target: MarkerTarget): readonly string[];
}

const TARGETS: readonly MarkerTarget[] = ["package", "type", "field", "value", "option"];

/** Indexes definitions. Two of one name and target are a mistake in the program, hence an exception. */
export function createRegistry(definitions: readonly MarkerDefinition[]): Registry {
  const byTarget = new Map<MarkerTarget, Map<string, MarkerDefinition>>(TARGETS.map((target) => [target, new Map()]));
  for (const definition of definitions) {
    const byName = byTarget.get(definition.target)!;
    if (byName.has(definition.name)) {
      throw new Error(`marker ${definition.name} is defined twice for the target ${definition.target}`);
    }
    byName.set(definition.name, definition);
  }
  const get = (name: string, target: MarkerTarget) => byTarget.get(target)?.get(name);
  return {
    definitions,
    get,
    lookup(text, target) {
      const { shortName, fullName } = splitMarker(text);
      return get(fullName, target) ?? get(shortName, target);
    },
    targetsOf: (name) => TARGETS.filter((target) => byTarget.get(target)!.has(name)),
    names: (target) => [...byTarget.get(target)!.keys()],
  };
}
