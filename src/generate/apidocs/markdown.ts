import { typesComment } from "../output/generated-files.ts";
import { kindLines } from "./kind-lines.ts";
import { blockLines, cellText, codeText, escapeText, fencedLines, linkText } from "./markdown-text.ts";
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

const suffix = ".md";

/** Returns a page as Markdown. */
export function markdownPage(page: Page, pages: Pages): string {
  const { title } = pages.reference;
  const listed = listedPackages(page, pages);
  const lines = [
    `[//]: # (${typesComment})`,
    "",
    `# ${escapeText(title)}`,
    "",
    "## Packages",
    "",
    ...listed.map((pkg) => `- ${linkText(pkg.name, pages.packageAddress(pkg, page, suffix))}`),
    "",
    ...page.packages.flatMap((pkg) => packageLines(placeOf(page, pages, pkg, suffix))),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function packageLines(place: Place): string[] {
  const { pages, page, pkg } = place;
  const link = (type: TypeDocs) =>
    linkText(type.name, pages.addressOf({ kind: "section", key: type.key }, page, suffix)!);
  return [
    ...anchorLines(pages.anchorOf(pkg)),
    `## ${escapeText(pkg.name)}`,
    "",
    ...blockLines(pkg.description, place.resolve),
    ...(pkg.kinds.length === 0 ? [] : ["### Resource Types", "", ...pkg.kinds.map((kind) => `- ${link(kind)}`), ""]),
    ...[...pkg.kinds, ...pkg.types].flatMap((type) => typeLines(type, place)),
  ];
}

function anchorLines(id: string): string[] {
  return [`<a id="${id}"></a>`, ""];
}

function typeLines(type: TypeDocs, place: Place): string[] {
  const { pages, page, resolve } = place;
  const users = pages.usersOf(type).map((user) => {
    const home = foreignPackage(user, place);
    const address = pages.addressOf({ kind: "section", key: user.key }, page, suffix)!;
    return `${linkText(user.name, address)}${home ? ` in ${escapeText(home.name)}` : ""}`;
  });
  return [
    ...anchorLines(pages.anchorOf(type)),
    `#### ${escapeText(type.name)}`,
    "",
    ...(type.deprecated === undefined ? [] : [deprecatedText(type.deprecated), ""]),
    ...blockLines(type.description, resolve),
    ...(type.kind ? kindText(type.kind) : []),
    ...(type.underlying ? [`_Underlying type:_ ${typeText(type.underlying, place)}`, ""] : []),
    ...list(
      "_One of:_",
      type.members.map((member) => typeText(member, place)),
    ),
    ...list(
      "_Validation:_",
      type.validation.map((entry) => entryText(entry, false)),
    ),
    ...list("_Appears in:_", users),
    ...fieldTable(type.fields, place),
    ...valueTable(type.values, resolve),
    ...(type.kind?.sample === undefined ? [] : ["_Sample:_", "", ...fencedLines(type.kind.sample, "yaml"), ""]),
  ];
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, "", ...items.map((item) => `- ${item}`), ""];
}

function deprecatedText(text: string): string {
  return `**Deprecated:** ${text === "" ? "don't use it." : escapeText(text)}`;
}

function kindText(facts: KindFacts): string[] {
  const lines = kindLines(facts).map(({ label, values }) => {
    const texts = values.map(({ text, code }) => {
      const parts = [text === undefined ? "" : escapeText(text), code === undefined ? "" : codeText(code, false)];
      return parts.filter(Boolean).join(" ");
    });
    return `- ${label}: ${texts.join(", ")}`;
  });
  return [...lines, ""];
}

function typeText(parts: readonly TextPart[], { pages, page }: Place): string {
  const text = parts.map((part) => {
    if (typeof part === "string") return escapeText(part);
    const address = pages.addressOf(part.to, page, suffix);
    return address === undefined ? escapeText(part.text) : linkText(part.text, address);
  });
  return `_${text.join("")}_`;
}

function entryText({ label, code, text }: ValidationEntry, isCell: boolean): string {
  const message = text === undefined ? "" : escapeText(text.replaceAll("\n", " "));
  const value = code === undefined ? message : `${codeText(code, isCell)}${message === "" ? "" : ` (${message})`}`;
  return value === "" ? label : `${label}: ${value}`;
}

function fieldTable(fields: readonly FieldDocs[], place: Place): string[] {
  if (fields.length === 0) return [];
  return [
    "| Field | Description | Default | Validation |",
    "| --- | --- | --- | --- |",
    ...fields.map((field) => {
      const defaults = field.default === undefined ? "" : codeText(field.default, true);
      const validation = field.validation.map((entry) => entryText(entry, true)).join("<br />");
      const cells = [
        `${codeText(field.name, true)} ${typeText(field.type, place)}`,
        fieldText(field, place),
        defaults,
        validation,
      ];
      return `| ${cells.join(" | ")} |`;
    }),
    "",
  ];
}

function fieldText({ description, deprecated, example, values }: FieldDocs, { resolve }: Place): string {
  const items = values.map(({ value, description }) => {
    const text = cellText(description, resolve);
    return `<li>${codeText(value, true)}${text === "" ? "" : `: ${text}`}</li>`;
  });
  const paragraphs = [
    deprecated === undefined ? "" : deprecatedText(deprecated),
    cellText(description, resolve),
    example === undefined ? "" : `Example: ${codeText(example, true)}`,
  ].filter((text) => text !== "");
  return `${paragraphs.join("<br /><br />")}${items.length === 0 ? "" : `<ul>${items.join("")}</ul>`}`;
}

function valueTable(values: readonly ValueDocs[], resolve: ResolveName): string[] {
  if (values.length === 0) return [];
  return [
    "| Value | Description |",
    "| --- | --- |",
    ...values.map(({ value, description }) => `| ${codeText(value, true)} | ${cellText(description, resolve)} |`),
    "",
  ];
}
