import type { DefaultTheme } from "vitepress";

/** The options of the search, which runs in the browser over an index of all sections. */
export const searchOptions = {
  miniSearch: {
    searchOptions: {
      // Long lists contain most words, and would hide the pages that explain them.
      boostDocument: (id: string): number => (/\/reference\/(runtime\/|conformance)|\/compare/.test(id) ? 0.5 : 1),
    },
  },
  // Adds the description of each page to its first section, because it contains the words that readers use.
  _render(source, env, markdown) {
    const html = markdown.render(source, env);
    if (env.frontmatter?.search === false) return "";
    const description = markdown.utils.escapeHtml(String(env.frontmatter?.description ?? ""));
    return html.replace("</h1>", `</h1><p>${description}</p>`);
  },
} satisfies DefaultTheme.LocalSearchOptions;
