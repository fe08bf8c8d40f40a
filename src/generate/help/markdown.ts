import type { CategoryHelp, FieldHelp, MarkerHelp } from "./categories.ts";
import { argumentSyntax, syntaxOf } from "./syntax.ts";

/** The reference of all options and markers, as Markdown. */
export function helpMarkdown(options: readonly CategoryHelp[], markers: readonly CategoryHelp[]): string {
  return [
    "# Markers and options",
    "",
    "<!-- Written by `npm run docs:reference` from the registry that parses. Edit the catalogue in src/generate/markers/catalogue/. -->",
    "",
    "What `scaffold generate` understands: the same markers and options as controller-gen v0.23, by the same rules. The terminal has the same",
    "text: `scaffold generate -h` … `-hhhh` for the options, `scaffold generate crd -w` … `-wwww` for the markers of a generator.",
    "",
    "`<type>` says what a value is; what stands in brackets may be left out. A `[]string` is written `a;b` or `{a,b}`.",
    "A marker stands on a **package** (a comment of a file that belongs to no declaration), a **type** or a **field**.",
    "",
    "- [Options](#options)",
    ...markers.filter(isShown).map(({ category }) => `- [${category}](#${anchor(category)})`),
    "",
    "## Options",
    ...options.filter(isShown).flatMap((each) => ["", `### ${escaped(capital(each.category))}`, ...section(each)]),
    ...markers.filter(isShown).flatMap((each) => ["", `## ${each.category}`, ...section(each)]),
    "",
  ].join("\n");
}

function isShown({ category, markers }: CategoryHelp): boolean {
  return category !== "" && markers.length > 0;
}

function section({ markers }: CategoryHelp): string[] {
  return joinTargets(markers).flatMap(({ marker, targets }) => ["", ...entry(marker, targets)]);
}

/** The same marker on several targets is one entry. */
function joinTargets(markers: readonly MarkerHelp[]): { marker: MarkerHelp; targets: string[] }[] {
  const joined = new Map<string, { marker: MarkerHelp; targets: string[] }>();
  for (const marker of markers) {
    const { target: _, ...rest } = marker;
    const key = JSON.stringify(rest);
    const known = joined.get(key);
    if (known) known.targets.push(marker.target);
    else joined.set(key, { marker, targets: [marker.target] });
  }
  return [...joined.values()];
}

function entry(marker: MarkerHelp, targets: readonly string[]): string[] {
  const { fields = [], deprecatedInFavorOf } = marker;
  const isOption = /^(generators|generic|output rules)/.test(marker.category);
  const syntax = isOption ? syntaxOf(marker).slice(1) : syntaxOf(marker);
  const place = isOption ? "" : ` — ${targets.join(", ")}`;
  const old =
    deprecatedInFavorOf === undefined
      ? []
      : [deprecatedInFavorOf === "" ? "*Deprecated.*" : `*Deprecated: write \`+${deprecatedInFavorOf}\`.*`];
  const about = [...old, marker.summary, ...(marker.details === undefined ? [] : [marker.details])].join(" ");
  const named = fields.filter((field) => field.name !== "");
  return [`**\`${syntax}\`**${place}`, "", about, ...(named.length === 0 ? [] : ["", ...named.map(fieldLine)])];
}

function fieldLine(field: FieldHelp): string {
  const about = field.details === undefined ? field.summary : `${field.summary} ${field.details}`;
  return `- \`${argumentSyntax(field)}\`: ${about}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What looks like a tag is text. */
function escaped(text: string): string {
  return text.replaceAll("<", "\\<");
}

function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
