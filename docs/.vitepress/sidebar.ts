// The data of the sidebars, without the files from which navigation.ts creates it: browsers load this file, too.

export interface Link {
  readonly text: string;
  readonly link: string;
}

export interface Section {
  readonly text: string;
  /** Whether the group starts closed. The group of the current page opens. */
  readonly collapsed: boolean;
  readonly items: (Link | Section)[];
}

/** The groups of each sidebar by the beginnings of its pages' paths. The last one is `/`, which contains all others. */
export type Sidebars = Readonly<Record<string, Section[]>>;

/** Returns the groups of the sidebar of a page. */
export function sidebarOf(sidebars: Sidebars, page: string): Section[] {
  const path = Object.keys(sidebars).find((key) => page.startsWith(key)) ?? "/";
  return sidebars[path] ?? [];
}
