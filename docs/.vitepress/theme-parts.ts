import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vitepress";

const theme = (file: string): string => fileURLToPath(new URL(`theme/${file}`, import.meta.url));

/** Components of VitePress's theme that a file of `theme/` replaces. */
const replaced: Readonly<Record<string, string>> = {
  "VPDocFooterLastUpdated.vue": theme("LastUpdated.vue"),
  "VPSidebarGroup.vue": theme("SidebarGroups.ts"),
};

/**
 * Components that become interactive after the rest of the page. The switch of the theme isn't one of them: it has no name for
 * screen readers before.
 */
const late = [
  "VPSidebarGroup.vue",
  "VPNavBarExtra.vue",
  "VPNavBarMenu.vue",
  "VPNavBarSearch.vue",
  "VPNavBarSocialLinks.vue",
];

const prefix = "\0late:";

/**
 * Changes parts of VitePress that have no options: it replaces or delays components, sets attributes of the page only if they
 * change, and renders the navigation beside the sidebar. Setting the same language or direction again makes browsers calculate
 * all styles once more. VitePress moves the navigation aside only after the page has loaded, so that it jumps.
 */
export function themeParts(): Plugin {
  return {
    name: "theme-parts",
    enforce: "pre",
    async resolveId(source, importer) {
      const name = basename(source);
      if (late.includes(name) && !importer?.startsWith(prefix)) {
        const original = await this.resolve(source, importer, { skipSelf: true });
        return original && `${prefix}${replaced[name] ?? original.id}`;
      }
      return replaced[name];
    },
    load(id) {
      if (!id.startsWith(prefix)) return;
      return `import part from ${JSON.stringify(id.slice(prefix.length))};
import { hydrateLate } from ${JSON.stringify(theme("hydrate-late.ts"))};
export default hydrateLate(part);`;
    },
    transform(code, id) {
      if (id.endsWith("/theme-default/components/VPNavBar.vue")) {
        const known = code.replace(
          "const classes = ref<Record<string, boolean>>({})",
          `const classes = ref<Record<string, boolean>>({
            "has-sidebar": hasSidebar.value,
            home: frontmatter.value.layout === "home",
          })`,
        );
        if (known === code) this.error("VitePress doesn't set the classes of the navigation here anymore");
        return known;
      }
      if (!id.endsWith("/vitepress/dist/client/app/index.js")) return;
      const changed = code.replace(
        /document\.documentElement\.(lang|dir) = (\w+\.value);/g,
        (statement, name, value) => {
          return `if (document.documentElement.${name} !== ${value}) ${statement}`;
        },
      );
      if (changed === code) this.error("VitePress doesn't set the attributes of the page here anymore");
      return changed;
    },
  };
}
