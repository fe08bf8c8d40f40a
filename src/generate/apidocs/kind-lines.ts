import type { KindFacts } from "./model.ts";

/** A fact about a kind: a label, and its values as text or code. */
export interface KindLine {
  readonly label: string;
  readonly values: readonly { readonly code?: string; readonly text?: string }[];
}

/** Returns the facts about a kind, in the order of the page. */
export function kindLines(facts: KindFacts): KindLine[] {
  const codes = (label: string, list: readonly string[]): KindLine[] =>
    list.length === 0 ? [] : [{ label, values: list.map((code) => ({ code })) }];
  const texts = (label: string, ...list: readonly string[]): KindLine[] => [
    { label, values: list.map((text) => ({ text })) },
  ];
  const { deprecated } = facts;
  return [
    ...(deprecated === undefined ? [] : texts("Deprecated", deprecated || "use another version")),
    ...codes("Resource", [facts.resource]),
    ...texts("Scope", facts.isNamespaced ? "Namespaced" : "Cluster"),
    ...codes("Short names", facts.shortNames),
    ...codes("Categories", facts.categories),
    ...codes("Subresources", facts.subresources),
    ...(facts.columns.length === 0 ? [] : [{ label: "Printed columns", values: facts.columns.map(columnValue) }]),
    ...codes("Selectable fields", facts.selectableFields),
    ...texts("Storage version", facts.isStorage ? "yes" : "no"),
    ...(facts.isServed ? [] : texts("Served", "no")),
  ];
}

function columnValue({ name, path, description, isWide }: KindFacts["columns"][number]): KindLine["values"][number] {
  const notes = [...(description === undefined ? [] : [description]), ...(isWide ? ["only with -o wide"] : [])];
  return { text: notes.length === 0 ? name : `${name} (${notes.join("; ")})`, code: path };
}
