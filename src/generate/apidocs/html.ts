import { typesComment } from "../output/generated-files.ts";
import { script, styles } from "./html-assets.ts";
import { blocksHtml, escapeHtml, linkHtml } from "./html-text.ts";
import { kindLines } from "./kind-lines.ts";
import type { FieldDocs, KindFacts, TextPart, TypeDocs, ValidationEntry, ValueDocs } from "./model.ts";
import {
  foreignPackage,
  listedPackages,
  type Page,
  type Pages,
  type Place,
  placeOf,
  type ResolveName,
} from "./pages.ts";

const suffix = ".html";

/** Returns a page as HTML: one file, without other files and addresses that a browser would load. */
export function htmlPage(page: Page, pages: Pages): string {
  const { title } = pages.reference;
  const listed = listedPackages(page, pages);
  const hasFields = page.packages.some(({ kinds, types }) =>
    [...kinds, ...types].some(({ fields }) => fields.length > 0),
  );
  const lines = [
    "<!doctype html>",
    `<!-- ${typesComment} -->`,
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${styles}</style>`,
    "</head>",
    "<body>",
    '<header id="top">',
    `<h1>${escapeHtml(title)}</h1>`,
    "</header>",
    '<nav aria-labelledby="packages">',
    '<h2 id="packages">Packages</h2>',
    listHtml(listed.map((pkg) => linkHtml(pkg.name, pages.packageAddress(pkg, page, suffix)))),
    "</nav>",
    "<main>",
    ...(hasFields ? [filterForm] : []),
    ...page.packages.map((pkg) => packageHtml(placeOf(page, pages, pkg, suffix))),
    "</main>",
    ...(hasFields ? [`<script>${script}</script>`] : []),
    "</body>",
    "</html>",
  ];
  return `${lines.join("\n")}\n`;
}

const filterForm = `<form class="filter" role="search" hidden>
<label for="filter">Filter fields</label>
<input id="filter" type="search" autocomplete="off">
<p role="status"></p>
</form>`;

function listHtml(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
}

function packageHtml(place: Place): string {
  const { pages, pkg, resolve } = place;
  const kinds = pkg.kinds.map((kind) => sectionLink(kind, place));
  return [
    `<section aria-labelledby="${pages.anchorOf(pkg)}">`,
    `<h2 id="${pages.anchorOf(pkg)}">${escapeHtml(pkg.name)}</h2>`,
    blocksHtml(pkg.description, resolve),
    ...(kinds.length === 0 ? [] : [`<h3>Resource Types</h3>`, listHtml(kinds)]),
    ...[...pkg.kinds, ...pkg.types].map((type) => typeHtml(type, place)),
    "</section>",
  ].join("\n");
}

function sectionLink(type: TypeDocs, { pages, page }: Place): string {
  return linkHtml(type.name, pages.addressOf({ kind: "section", key: type.key }, page, suffix)!);
}

function typeHtml(type: TypeDocs, place: Place): string {
  const { pages, pkg, resolve } = place;
  const id = pages.anchorOf(type);
  const users = pages.usersOf(type).map((user) => {
    const home = foreignPackage(user, place);
    return `${sectionLink(user, place)}${home ? ` in ${escapeHtml(home.name)}` : ""}`;
  });
  // Headings may not skip a level, and types without kinds have no heading above them.
  const level = pkg.kinds.length === 0 ? 3 : 4;
  return [
    `<section class="type-section" data-name="${escapeHtml(type.name)}">`,
    `<h${level} id="${id}">${escapeHtml(type.name)}</h${level}>`,
    ...(type.deprecated === undefined ? [] : [`<p>${deprecatedHtml(type.deprecated)}</p>`]),
    blocksHtml(type.description, resolve),
    ...(type.kind ? [kindHtml(type.kind)] : []),
    ...(type.underlying ? [`<p>Underlying type: ${typeText(type.underlying, place)}</p>`] : []),
    ...titledList(
      "One of:",
      type.members.map((member) => typeText(member, place)),
    ),
    ...titledList("Validation:", type.validation.map(entryHtml)),
    ...titledList("Appears in:", users),
    ...fieldTable(type.fields, id, place),
    ...valueTable(type.values, resolve),
    ...(type.kind?.sample === undefined
      ? []
      : [`<p>Sample:</p>\n<pre><code>${escapeHtml(type.kind.sample)}</code></pre>`]),
    "</section>",
  ].join("\n");
}

function titledList(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`<p>${title}</p>\n${listHtml(items)}`];
}

function deprecatedHtml(text: string): string {
  return `<strong>Deprecated:</strong> ${text === "" ? "don't use it." : escapeHtml(text)}`;
}

function kindHtml(facts: KindFacts): string {
  const rows = kindLines(facts).map(({ label, values }) => {
    const texts = values.map(({ text, code }) => {
      const parts = [text === undefined ? "" : escapeHtml(text), code === undefined ? "" : codeHtml(code)];
      return parts.filter(Boolean).join(" ");
    });
    return `<dt>${label}</dt><dd>${texts.join(", ")}</dd>`;
  });
  return `<dl>${rows.join("")}</dl>`;
}

function codeHtml(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

function typeText(parts: readonly TextPart[], { pages, page }: Place): string {
  const text = parts.map((part) => {
    if (typeof part === "string") return escapeHtml(part);
    const address = pages.addressOf(part.to, page, suffix);
    return address === undefined ? escapeHtml(part.text) : linkHtml(part.text, address);
  });
  return `<span class="type">${text.join("")}</span>`;
}

function entryHtml({ label, code, text }: ValidationEntry): string {
  const message = text === undefined ? "" : escapeHtml(text);
  const value = code === undefined ? message : `${codeHtml(code)}${message === "" ? "" : ` (${message})`}`;
  return value === "" ? label : `${label}: ${value}`;
}

function fieldTable(fields: readonly FieldDocs[], id: string, place: Place): string[] {
  if (fields.length === 0) return [];
  const rows = fields.map((field) => {
    const validation = field.validation.map(entryHtml).join("<br>");
    return [
      `<tr data-field="${escapeHtml(field.name)}" id="${id}:${escapeHtml(encodeURIComponent(field.name))}">`,
      `<td>${codeHtml(field.name)} ${typeText(field.type, place)}</td>`,
      `<td>${fieldHtml(field, place)}</td>`,
      cell("Default", field.default === undefined ? "" : codeHtml(field.default)),
      cell("Validation", validation),
      "</tr>",
    ].join("");
  });
  const head = ["Field", "Description", "Default", "Validation"].map((name) => `<th scope="col">${name}</th>`).join("");
  return [`<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`];
}

function cell(label: string, content: string): string {
  return `<td data-label="${label}">${content}</td>`.replace(/ data-label="\w+"><\/td>/, "></td>");
}

function fieldHtml({ description, deprecated, example, values }: FieldDocs, { resolve }: Place): string {
  const items = values.map(({ value, description }) => `${codeHtml(value)} ${blocksHtml(description, resolve)}`);
  return [
    deprecated === undefined ? "" : `<p>${deprecatedHtml(deprecated)}</p>`,
    blocksHtml(description, resolve),
    example === undefined ? "" : `<p>Example: ${codeHtml(example)}</p>`,
    items.length === 0 ? "" : listHtml(items),
  ].join("");
}

function valueTable(values: readonly ValueDocs[], resolve: ResolveName): string[] {
  if (values.length === 0) return [];
  const rows = values.map(
    ({ value, description }) => `<tr><td>${codeHtml(value)}</td><td>${blocksHtml(description, resolve)}</td></tr>`,
  );
  const head = '<th scope="col">Value</th><th scope="col">Description</th>';
  return [`<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`];
}
