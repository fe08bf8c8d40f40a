/** The parts of VitePress's types that are used here. A test outside the site's package imports this file. */
interface Page {
  readonly frontmatter?: { readonly search?: boolean; readonly description?: string };
}
interface Markdown {
  render(source: string, env: Page): string;
  readonly utils: { escapeHtml(text: string): string };
}

/** The options of the search, which runs in the browser over an index of all sections. */
export const searchOptions = {
  miniSearch: {
    searchOptions: {
      // Long lists contain most words, and would hide the pages that explain them.
      // So would the whole files in tutorials, for error messages.
      boostDocument: (id: string): number =>
        /\/reference\/(runtime\/|conformance)|\/compare/.test(id)
          ? 0.5
          : /\/tutorials\//.test(id)
            ? 0.7
            : // Newcomers search for the names of concepts.
              /\/concepts\//.test(id)
              ? 1.4
              : 1,
      // In a pasted error message, addresses, quoted names and times would match unrelated sections.
      tokenize: (text: string): string[] =>
        (text.length > 80 ? text.replace(/https?:\/\/\S+|"[^"]*"|\b\d[\w.:-]*/g, " ") : text).split(
          /[\n\r\p{Z}\p{P}]+/u,
        ),
      // In a question, such as "what is a webhook", these words would match more than the subject.
      processTerm: (term: string): string | null =>
        /^(an?|and|are|can|do|does|for|how|i|in|is|it|my|of|on|or|should|the|to|vs|what|which|with)$/i.test(term)
          ? null
          : term.toLowerCase(),
    },
  },
  // Adds the description of each page to its first section, because it contains the words that readers use.
  _render(source: string, env: Page, markdown: Markdown): string {
    const html = markdown.render(source, env);
    if (env.frontmatter?.search === false) return "";
    const description = markdown.utils.escapeHtml(String(env.frontmatter?.description ?? ""));
    return html.replace("</h1>", `</h1><p>${description}</p>`);
  },
};
