import { Environment, ParseError } from "@marcbachmann/cel-js";

/** A node of an expression: the part of the library's type that the lints use. */
export interface CelNode {
  readonly op: string;
  readonly args: unknown;
  /** Offset in the expression. */
  readonly start: number;
}

export type ParsedRule =
  | { readonly kind: "ast"; readonly ast: CelNode }
  | { readonly kind: "problem"; readonly message: string; readonly offset: number }
  /** Can't be checked: the expression uses syntax that the library doesn't support. */
  | { readonly kind: "unclear" };

const environment = new Environment({
  enableOptionalTypes: true,
  unlistedVariablesAreDyn: true,
  limits: { maxDepth: 1000, maxListElements: 100_000, maxMapEntries: 100_000, maxCallArguments: 1000 },
});

const problems = new Set(["unexpected_token", "expected_token", "unexpected_character", "reserved_identifier"]);

const parsed = new Map<string, ParsedRule>();

/** Parses an expression; results are cached. */
export function parseRule(text: string): ParsedRule {
  const known = parsed.get(text);
  if (known) return known;
  const result = parse(text);
  parsed.set(text, result);
  return result;
}

function parse(text: string): ParsedRule {
  try {
    return { kind: "ast", ast: environment.parse(text).ast as unknown as CelNode };
  } catch (error) {
    if (!(error instanceof ParseError) || !problems.has(error.code ?? "") || usesUnknownSyntax(text)) {
      return { kind: "unclear" };
    }
    const offset = error.range?.start ?? 0;
    return { kind: "problem", message: readable(error.summary, text, offset), offset };
  }
}

function readable(summary: string, text: string, offset: number): string {
  const rest = text.slice(offset).trim();
  if (rest === "") return "it ends unexpectedly";
  const reserved = /^Reserved identifier: (.*)$/.exec(summary)?.[1];
  if (reserved !== undefined) return `"${reserved}" is a reserved word`;
  const [token] = /^(?:\w+|[^\w\s])/.exec(rest) ?? [rest.slice(0, 1)];
  return `"${token}" is unexpected`;
}

/** Detects CEL syntax that the library lacks: quoted field names, optional elements, messages, leading dots and fractions. */
function usesUnknownSyntax(text: string): boolean {
  const bare = text.replace(
    /[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\n]*/g,
    " 0 ",
  );
  return /`|[[{,]\s*\?|[A-Za-z_]\w*\s*\{|(?:^|[^\w)\]\s"'])\s*\.\s*\w/.test(bare);
}
