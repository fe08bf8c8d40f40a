import { didYouMean, editDistance } from "../../diagnostics/did-you-mean.ts";
import type { MarkerTarget } from "./model/definition.ts";
import type { Registry } from "./registry.ts";
import { splitMarker } from "./split.ts";

/** The targets in source files. */
const SOURCE_TARGETS: readonly Exclude<MarkerTarget, "option">[] = ["package", "type", "field"];

/** Returns the targets in source files for which `text` would be a known marker. */
export function knownFor(text: string, registry: Registry): readonly MarkerTarget[] {
  return SOURCE_TARGETS.filter((target) => registry.lookup(text, target) !== undefined);
}

/** Returns a known marker that differs from the text only in whitespace, a stray `:` or words after the marker. */
export function repair(text: string, registry: Registry): string | undefined {
  const equals = text.indexOf("=");
  const left = equals < 0 ? text : text.slice(0, equals);
  const right = equals < 0 ? "" : text.slice(equals);
  const compact = `+${left
    .slice(1)
    .trim()
    .replace(/(?<!\s)\s+:$/, ":")}`;
  const repairs = [
    compact + right.replace(/^=\s+/, "="),
    compact.replace(/(?<!\s)\s*:$/, "") + right,
    compact.replace(/(?<!\s)\s*:$/, ""),
    compact.replace(/[\s#].*/s, ""),
  ];
  return repairs.find((candidate) => candidate !== text && knownFor(candidate, registry).length > 0);
}

/** Returns the possible names in the left side of a marker. */
function spellings(text: string): readonly string[] {
  const { fullName, shortName } = splitMarker(text);
  const word = (name: string) => name.trim().replace(/\s.*$/s, "");
  return [...new Set([fullName, fullName.replace(/:$/, ""), shortName, word(fullName), word(shortName)])];
}

/**
 * Returns the nearest known name. Names with the same last part come first, because a wrong prefix is a more frequent mistake
 * than another word (`kubebuilder:validation:default`), then names for the marker's own target.
 */
export function nearestName(text: string, target: MarkerTarget, registry: Registry): string | undefined {
  const targets = [target, ...SOURCE_TARGETS.filter((other) => other !== target)];
  const first = (name: string) => name.slice(0, name.indexOf(":") + 1);
  const last = (name: string) => name.slice(name.lastIndexOf(":") + 1).toLowerCase();
  for (const place of targets) {
    for (const spelling of spellings(text)) {
      const same = registry.names(place).filter((name) => last(name) === last(spelling));
      const alike = same.filter((name) => first(name) === first(spelling));
      const near = didYouMean(spelling, alike, spelling.length) ?? same[0];
      if (near) return near;
    }
  }
  for (const place of targets) {
    for (const spelling of spellings(text)) {
      const tail = spelling.replace(/^(kubebuilder|k8s):/, "");
      const near = didYouMean(spelling, registry.names(place), Math.max(2, Math.floor(tail.length / 3)));
      if (near) return near;
    }
  }
  return undefined;
}

/** Returns a known name with this prefix (`""`: without a prefix) that is within two edits or differs in case only. */
export function nearMiss(text: string, prefix: string, registry: Registry): string | undefined {
  const names = new Set(SOURCE_TARGETS.flatMap((target) => registry.names(target)));
  const candidates = [...names].filter((name) => (prefix ? name.startsWith(prefix) : !name.includes(":")));
  let best: string | undefined;
  let bestDistance = 3;
  for (const spelling of spellings(text)) {
    for (const name of candidates) {
      const distance = spelling.toLowerCase() === name.toLowerCase() ? 0 : editDistance(spelling, name, bestDistance);
      if (distance < bestDistance) {
        best = name;
        bestDistance = distance;
      }
    }
  }
  return best;
}
