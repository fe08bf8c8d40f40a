/** A requirement on one field. */
export interface FieldRequirement {
  field: string;
  operator: "=" | "!=";
  value: string;
}

/** Requirements that must all hold. */
export type FieldSelector = readonly FieldRequirement[];

/**
 * Parses a field selector.
 *
 * @param text - for example `metadata.name=a,spec.nodeName!=b`
 * @returns its requirements, sorted
 * @throws Error with kube-apiserver's message if the text isn't a selector
 */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitUnescaped(text)) {
    if (term === "") continue;
    const match = /^((?:[^\\=!]|\\.|!(?!=))*)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw new Error(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = "", operator, value = ""] = match;
    requirements.push({ field, operator: operator === "!=" ? "!=" : "=", value: unescapeValue(value) });
  }
  return requirements.sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

function splitUnescaped(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === ",") {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function unescapeValue(value: string): string {
  let plain = "";
  for (let i = 0; i < value.length; i++) {
    const char = value[i] as string;
    if (char === "\\") {
      const escaped = value[++i];
      if (escaped === undefined || !"\\,=".includes(escaped)) {
        throw new Error(
          escaped === undefined
            ? `invalid field selector: invalid escape sequence: \\`
            : `invalid field selector: invalid escape sequence: \\${escaped}`,
        );
      }
      plain += escaped;
    } else if (char === "," || char === "=") {
      throw new Error(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    } else {
      plain += char;
    }
  }
  return plain;
}

/**
 * Reports whether the fields of an object meet a selector.
 *
 * @param selector - the requirements
 * @param read - returns the value of a field as text, empty if it is absent
 * @returns true if all requirements hold
 */
export function matchesFields(selector: FieldSelector, read: (field: string) => string): boolean {
  return selector.every(({ field, operator, value }) => (read(field) === value) === (operator === "="));
}

/** Returns the value that the selector requires the field to have, if it does. */
export function requiredValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((requirement) => requirement.field === field && requirement.operator === "=")?.value;
}
