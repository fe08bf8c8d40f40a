// The patterns of "How we write" (CONTRIBUTING.md) that a program can find, with advice for each.

export interface Rule {
  id: string;
  pattern: RegExp;
  advice: string;
}

/** The start of a text or of a sentence. */
const start = "(?<=^|[.:!?] )";
/** The rest of a sentence that is a statement, because questions may begin with these words. */
const statement = String.raw`(?=[^?]*$|[^.?]*\.(?:\s|$))`;

export const rules: Rule[] = [
  {
    id: "clause-as-noun",
    pattern: new RegExp(
      `${start}(What|Whatever|Who|Whoever|Whom|Whose|Where) (?!(?:if|about|next)\\b)[a-z'’]+${statement}`,
      "g",
    ),
    advice: "begin with a noun or a verb, not with a clause",
  },
  {
    id: "speaking-things",
    pattern: /\b(tells|told|(?<!(?:you|users|readers) )knows|says|said)\b/g,
    advice: "use set, contain, report, require or return",
  },
  {
    id: "negated-noun",
    pattern: /(?<!\bthere )\b(is|are) no (?!longer\b|more than\b|less than\b)[a-z]+/gi,
    advice: `write "isn't a valid X", "must be X" or "no X found"`,
  },
  { id: "nobody", pattern: /\b(nobody|whoever|needn't|shall|one's own)\b/gi, advice: "name the person or component" },
  {
    id: "archaic",
    pattern:
      /\b(habit's sake|take[sn]?(?: [a-z]+){0,3} away|taken? back|had better|be had|stands? in for|lies in|have done)\b/gi,
    advice: "use remove, undo, is in, replaces",
  },
  {
    id: "glossary",
    pattern:
      /\b(mend(?:s|ed|ing)?|cures?|elsewhere|blanks|small letters|any more|misspelt|licence|behaviour|colour|too big)\b/gi,
    advice: "use fix, external, whitespace, lowercase, no longer, US spelling, exceeds",
  },
  { id: "rights", pattern: /\brights\b/g, advice: "use permissions" },
  {
    id: "where-for-if",
    pattern: /\bwhere (?:there|it|nothing|nobody|none|one|that) (?:is|are|isn't|aren't)\b/gi,
    advice: `use "if" for conditions`,
  },
];

export interface Finding {
  rule: string;
  /** Offset in the text. */
  at: number;
  found: string;
  advice: string;
}

/**
 * Checks one text.
 *
 * @param text - prose without code
 * @returns the findings, sorted by position
 */
export function check(text: string): Finding[] {
  const findings = rules.flatMap(({ id, pattern, advice }) =>
    [...text.matchAll(pattern)].map((match) => ({ rule: id, at: match.index, found: match[0], advice })),
  );
  return findings.sort((a, b) => a.at - b.at);
}
