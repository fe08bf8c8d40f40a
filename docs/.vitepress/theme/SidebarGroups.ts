import { useData, withBase } from "vitepress";
import { computed, defineComponent, h, onMounted, reactive, shallowRef, type VNode, watch } from "vue";
import { type Link, type Section, sidebarOf } from "../sidebar.ts";
import { data as sidebars } from "./sidebars.data.ts";
import "./sidebar.css";

/**
 * Replaces the groups of VitePress's sidebar (config.ts). VitePress creates two components per link, which are most of the
 * work of each page load. This one is a single component, and browsers open and close its groups without code.
 */
export default defineComponent({
  name: "SidebarGroups",
  inheritAttrs: false,
  setup() {
    const { page } = useData();
    const current = computed(() => `/${page.value.relativePath.replace(/\.md$/, "")}`);
    const groups = computed(() => sidebarOf(sidebars, current.value));
    const isCurrent = (entry: Link | Section): boolean =>
      "items" in entry ? entry.items.some(isCurrent) : entry.link === current.value;

    const opened = reactive(new Set<string>());
    const open = (sections: readonly Section[], isWanted: (section: Section) => boolean): void => {
      for (const section of sections) {
        if (isWanted(section)) opened.add(section.text);
        open(
          section.items.filter((entry) => "items" in entry),
          isWanted,
        );
      }
    };
    for (const sidebar of Object.values(sidebars)) open(sidebar, ({ collapsed }) => !collapsed);
    // Groups stay as the reader left them, and that of a new page opens.
    watch(current, () => open(groups.value, isCurrent), { immediate: true });

    const root = shallowRef<HTMLElement>();
    onMounted(() => showCurrent(root.value));
    watch(current, () => showCurrent(root.value), { flush: "post" });

    const group = (section: Section): VNode =>
      h(
        "details",
        {
          key: section.text,
          open: opened.has(section.text),
          onToggle: ({ target }: Event) => opened[(target as HTMLDetailsElement).open ? "add" : "delete"](section.text),
        },
        [
          h("summary", [section.text, h("span", { class: "vpi-chevron-right" })]),
          h(
            "ul",
            section.items.map((entry) => h("li", { key: entry.text }, ["items" in entry ? group(entry) : link(entry)])),
          ),
        ],
      );
    const link = (entry: Link): VNode =>
      h(
        "a",
        { href: withBase(`${entry.link}.html`), "aria-current": isCurrent(entry) ? "page" : undefined },
        entry.text,
      );

    return () => h("div", { class: "sidebar-groups", ref: root }, groups.value.map(group));
  },
});

/** Scrolls the sidebar so that the current page is visible: on most pages, it is below many others. */
function showCurrent(root: HTMLElement | undefined): void {
  const link = root?.querySelector<HTMLElement>("a[aria-current]");
  const bar = root?.closest(".VPSidebar");
  if (!link || !bar) return;
  const { top, bottom } = link.getBoundingClientRect();
  const visible = bar.getBoundingClientRect();
  if (top < visible.top || bottom > visible.bottom) bar.scrollTop += top - visible.top - bar.clientHeight / 2;
}
