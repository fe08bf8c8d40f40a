import { readFileSync } from "node:fs";
import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { diagrams } from "./diagrams.ts";
import { fileNames } from "./file-names.ts";
import { linksOutside } from "./links-outside.ts";
import { sections } from "./navigation.ts";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, "");

export default defineConfig({
  title: "kubewright",
  description: "kubebuilder for TypeScript: scaffold, generate and run Kubernetes operators",
  lang: "en",
  // Base path of the site on its server, such as /kubewright/ on project pages.
  base: process.env.DOCS_BASE ?? "/",
  lastUpdated: true,
  themeConfig: {
    nav: [
      { text: "Quick start", link: "/quick-start" },
      { text: "Tutorial", link: "/tutorials/game" },
      { text: "Markers", link: "/reference/markers" },
      { text: manifest.version, link: `${repository}/blob/main/CHANGELOG.md` },
    ],
    sidebar: sections(),
    search: { provider: "local" },
    outline: { level: [2, 3] },
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: "Edit this page" },
    socialLinks: [{ icon: "github", link: repository }],
  },
  markdown: {
    // Use the same anchors of headings as GitHub.
    anchor: { slugify: (text) => slug(text) },
    config(markdown) {
      markdown.use(linksOutside, { prefix: `${repository}/blob/main` });
      markdown.use(fileNames);
      markdown.use(diagrams);
    },
  },
});
