// The patterns of "How we write" (CONTRIBUTING.md) that a program can find, with advice for each.

import type { Text } from "./texts.ts";

export interface Rule {
  id: string;
  pattern: RegExp;
  advice: string;
  /** The only kind of texts to which the rule applies; all kinds by default. */
  kind?: Text["kind"];
}

/** The start of a text or of a sentence. */
const start = "(?<=^ *|[.:!?] )";
/** The rest of a sentence that is a statement, because questions may begin with these words. */
const statement = String.raw`(?=[^?]*$|[^.?]*\.(?:\s|$))`;

export const rules: Rule[] = [
  {
    id: "clause-as-noun",
    pattern: new RegExp(
      `${start}(What|Whatever|Who|Whoever|Whom|Whose|Where) (?!(?:if|about|next)\\b)[A-Za-z'’]+${statement}`,
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
  {
    id: "title-verb",
    pattern:
      /^(?:refuses?|heeds?|minds?|tells?|says?|knows?|gives?|goes|stands?|holds? to|takes?(?! (?:at most|over|as long|from|linear)))\b/g,
    advice: "begin with a verb such as returns, accepts, rejects, keeps, removes or reports",
    kind: "title",
  },
  {
    id: "title-phrase",
    pattern:
      /\b(all the same|put right|as it (?:is|was|stands|stood|shall be|should be)|has to do|anew|byte for byte)\b/g,
    advice: "use the same, restores, unchanged, again or identical",
    kind: "title",
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
 * @param kind - determines the rules that apply
 * @returns the findings, sorted by position
 */
export function check(text: string, kind: Text["kind"]): Finding[] {
  const applied = rules.filter((rule) => rule.kind === undefined || rule.kind === kind);
  const findings = applied.flatMap(({ id, pattern, advice }) =>
    [...text.matchAll(pattern)].map((match) => ({ rule: id, at: match.index, found: match[0], advice })),
  );
  return findings.sort((a, b) => a.at - b.at);
}
