import type { MarkerValue } from "../../markers/index.ts";
import type { CrdVersion, CustomResourceDefinition } from "../document.ts";

/** Applies a marker on a kind to the CRD and to the version of the kind. Returns a message if it fails. */
export type CrdEffect = (crd: CustomResourceDefinition, version: CrdVersion, args: Arguments) => string | undefined;

/** The arguments of a marker, by type. */
export interface Arguments {
  /** "" if absent. */
  text(name: string): string;
  /** Undefined if absent. */
  optionalText(name: string): string | undefined;
  list(name: string): string[];
  number(name: string): number | bigint;
}

/** Reads the arguments of a named marker. */
export function argumentsOf(value: MarkerValue): Arguments {
  const given = value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  const get = (name: string): MarkerValue => (given as Record<string, MarkerValue>)[name] ?? null;
  const optionalText = (name: string) => {
    const found = get(name);
    return typeof found === "string" ? found : undefined;
  };
  return {
    optionalText,
    text: (name) => optionalText(name) ?? "",
    list: (name) => {
      const found = get(name);
      return Array.isArray(found) ? found.map(String) : [];
    },
    number: (name) => {
      const found = get(name);
      return typeof found === "number" || typeof found === "bigint" ? found : 0;
    },
  };
}
