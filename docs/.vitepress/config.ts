import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { assistantTags, llmsFullTxt, llmsTxt, markdownOf } from "./assistants.ts";
import { codeInText } from "./code-in-text.ts";
import { diagrams } from "./diagrams.ts";
import { fileNames } from "./file-names.ts";
import { linksOutside } from "./links-outside.ts";
import { neighbors, pageSources, sections, sidebars } from "./navigation.ts";
import { panels } from "./panels.ts";
import { pictures } from "./pictures.ts";
import { plainCode } from "./plain-code.ts";
import { redirectPage, redirects } from "./redirects.ts";
import { searchOptions } from "./search.ts";
import { base, repository, site, version } from "./site.ts";
import { socialTags } from "./social.ts";
import { cheaperStyles } from "./styles.ts";
import { themeParts } from "./theme-parts.ts";

const addresses = { site, repository };
const groups = sidebars();

/** Returns the icon as SVG. For an icon's name, the theme measures a style of the page at each load. */
function githubIcon(): string {
  const { icons, width, height } = JSON.parse(
    readFileSync(new URL("../node_modules/@iconify-json/simple-icons/icons.json", import.meta.url), "utf8"),
  );
  return `<svg viewBox="0 0 ${width} ${height}">${icons.github.body}</svg>`;
}

export default defineConfig({
  title: "kubewright",
  description: "kubebuilder for TypeScript: scaffold, generate and run Kubernetes operators",
  lang: "en-US",
  base,
  // Disabling transitions while the theme is switched costs two style calculations of the whole page at each load.
  appearance: { disableTransition: false },
  lastUpdated: true,
  sitemap: { hostname: site },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}favicon.svg` }],
    ["meta", { name: "theme-color", content: "#2f5fd0" }],
  ],
  transformHead: (context) => [
    ...socialTags(site)(context),
    ...assistantTags(context.pageData.relativePath.replace(/\.md$/, ""), addresses),
  ],
  buildEnd({ outDir }) {
    const pages = pageSources();
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(outDir, path)), { recursive: true });
      writeFileSync(join(outDir, path), text);
    };
    for (const page of pages) write(`${page.path}.md`, markdownOf(page, addresses));
    for (const [from, to] of Object.entries(redirects)) write(`${from}.html`, redirectPage(to, site));
    write("llms.txt", llmsTxt(sections(), pages, addresses));
    write("llms-full.txt", llmsFullTxt(sections(), pages, addresses));
    // The schemas of `--json` are served at their $id.
    cpSync(fileURLToPath(new URL("../../schemas", import.meta.url)), join(outDir, "schemas"), { recursive: true });
  },
  transformPageData: ({ relativePath, frontmatter }) => {
    Object.assign(frontmatter, neighbors(groups, relativePath.replace(/\.md$/, "")));
  },
  themeConfig: {
    logo: { src: "/logo.svg", alt: "" },
    nav: [
      { text: "Quick start", link: "/quick-start" },
      { text: "Tutorials", link: "/tutorials/website" },
      { text: "Guides", link: "/guides/develop" },
      { text: "Concepts", link: "/concepts/operators" },
      {
        text: "Reference",
        items: [
          { text: "Commands", link: "/reference/cli" },
          { text: "Markers", link: "/reference/markers" },
          { text: "Runtime API", link: "/reference/runtime" },
          { text: "Troubleshooting", link: "/troubleshooting" },
          { text: "FAQ", link: "/faq" },
        ],
      },
      {
        text: version,
        items: [
          { text: "Changelog", link: `${repository}/blob/main/CHANGELOG.md` },
          { text: "Supported versions", link: "/reference/supported-versions" },
        ],
      },
    ],
    // SidebarGroups.ts renders the groups. VitePress needs one to show the sidebar at all.
    sidebar: [{ items: [] }],
    search: { provider: "local", options: searchOptions },
    outline: { level: [2, 3] },
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: "Edit this page" },
    socialLinks: [{ icon: { svg: githubIcon() }, ariaLabel: "GitHub", link: repository }],
    footer: { message: "Apache-2.0. Kubernetes is a trademark of The Linux Foundation." },
  },
  vite: { plugins: [themeParts()], css: { postcss: { plugins: [cheaperStyles()] } } },
  markdown: {
    // Use the same anchors of headings as GitHub.
    anchor: { slugify: (text) => slug(text) },
    image: { lazyLoading: true },
    // Themes whose colors are legible on the background of code: at least 4.5:1.
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
    codeTransformers: [plainCode],
    config(markdown) {
      markdown.use(linksOutside, { prefix: `${repository}/blob/main` });
      markdown.use(codeInText);
      markdown.use(panels);
      markdown.use(pictures);
      markdown.use(fileNames);
      markdown.use(diagrams);
    },
  },
});
