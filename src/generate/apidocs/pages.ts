import type { ApiReference, Destination, PackageDocs, TypeDocs } from "./model.ts";

/** A file of the reference, without its suffix. */
export interface Page {
  readonly name: string;
  readonly packages: readonly PackageDocs[];
}

/** The pages of a reference, and the places of its sections. */
export interface Pages {
  readonly reference: ApiReference;
  /** The first page is the index. */
  readonly pages: readonly Page[];
  /** Returns the id of a package's or a type's section. */
  anchorOf(section: PackageDocs | TypeDocs): string;
  /** Returns the address of a section or another destination, from a page. */
  addressOf(to: Destination, from: Page, suffix: string): string | undefined;
  /** Returns the address of the section of a package. */
  packageAddress(to: PackageDocs, from: Page, suffix: string): string;
  /** Returns the section of a type by name; undefined if the package has none. */
  sectionOf(name: string, pkg: PackageDocs): Destination | undefined;
  /** Returns the types in which a type is used, sorted by name. */
  usersOf(type: TypeDocs): readonly TypeDocs[];
}

/** Returns the address that a reference in a comment leads to. */
export type ResolveName = (name: string) => string | undefined;

/** The page and package that is being written. */
export interface Place {
  readonly pages: Pages;
  readonly page: Page;
  readonly pkg: PackageDocs;
  readonly resolve: ResolveName;
}

/** Returns a place in the pages of a format. */
export function placeOf(page: Page, pages: Pages, pkg: PackageDocs, suffix: string): Place {
  const resolve = (name: string) => {
    const to = pages.sectionOf(name, pkg);
    return to && pages.addressOf(to, page, suffix);
  };
  return { pages, page, pkg, resolve };
}

/** Returns the packages that a page lists: its own, or all on an index. */
export function listedPackages(page: Page, { reference }: Pages): readonly PackageDocs[] {
  return page.packages.length === 0 ? reference.packages : page.packages;
}

/** Returns the package of a type that belongs to another package than the place. */
export function foreignPackage(type: TypeDocs, { pages, pkg }: Place): PackageDocs | undefined {
  const has = ({ kinds, types }: PackageDocs) => kinds.includes(type) || types.includes(type);
  return has(pkg) ? undefined : pages.reference.packages.find(has);
}

/** Ids that the pages use themselves. */
const reserved = ["filter", "packages", "top"];

/** Assigns sections to pages, and unique anchors to sections. */
export function pagesOf(reference: ApiReference, mode: "single" | "group"): Pages {
  const pages = mode === "single" ? [{ name: "index", packages: reference.packages }] : groupPages(reference);
  const used = new Set(reserved);
  const anchors = new Map<PackageDocs | TypeDocs, string>();
  const places = new Map<string, { readonly page: Page; readonly type: TypeDocs }>();
  const pageOf = new Map<PackageDocs, Page>();
  const unique = (base: string) => {
    let id = base;
    for (let count = 2; used.has(id); count++) id = `${base}-${count}`;
    used.add(id);
    return id;
  };
  for (const page of pages) for (const pkg of page.packages) pageOf.set(pkg, page);
  for (const pkg of reference.packages) {
    const { group, version, kinds, types } = pkg;
    anchors.set(pkg, unique(anchor(group, version)));
    for (const type of [...kinds, ...types]) {
      anchors.set(type, unique(anchor(type.name, version, group)));
      places.set(type.key, { page: pageOf.get(pkg)!, type });
    }
  }
  const at = (target: Page, id: string, from: Page, suffix: string) =>
    `${target === from ? "" : `${target.name}${suffix}`}#${id}`;
  return {
    reference,
    pages,
    anchorOf: (section) => anchors.get(section)!,
    addressOf(to, from, suffix) {
      if (to.kind === "url") return to.url;
      const place = places.get(to.key);
      return place && at(place.page, anchors.get(place.type)!, from, suffix);
    },
    packageAddress: (to, from, suffix) => at(pageOf.get(to)!, anchors.get(to)!, from, suffix),
    sectionOf(name, { kinds, types }) {
      const type = [...kinds, ...types].find((kind) => kind.name === name);
      return type && { kind: "section", key: type.key };
    },
    usersOf: ({ key }) =>
      [...(reference.appearsIn.get(key) ?? [])]
        .flatMap((user) => places.get(user)?.type ?? [])
        .sort((a, b) => (a.name === b.name ? (a.key < b.key ? -1 : 1) : a.name < b.name ? -1 : 1)),
  };
}

function groupPages({ packages }: ApiReference): Page[] {
  const groups = [...new Set(packages.map(({ group }) => group))];
  return [
    { name: "index", packages: [] },
    ...groups.map((group) => ({
      name: group === "" ? "core" : group,
      packages: packages.filter((pkg) => pkg.group === group),
    })),
  ];
}

/** Returns an id of lowercase letters, digits, hyphens and dots. */
function anchor(...parts: readonly string[]): string {
  const text = parts.map((part) => part || "core").join("-");
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/-$/, "");
}
