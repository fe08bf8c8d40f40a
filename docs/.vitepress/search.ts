/** The parts of VitePress's types that are used here. A test outside the site's package imports this file. */
interface Page {
  readonly frontmatter?: { readonly search?: boolean; readonly description?: string };
}
interface Markdown {
  render(source: string, env: Page): string;
  readonly utils: { escapeHtml(text: string): string };
}

/**
 * The options of the search, which runs in the browser over an index of all sections. VitePress writes the text of their
 * functions into each page, so these contain everything that they use.
 */
export const searchOptions = {
  miniSearch: {
    searchOptions: {
      boostDocument: (id: string): number => {
        /** How much the sections of pages count, by parts of their paths. The first match counts, and others are 1. */
        const weights: readonly (readonly [path: RegExp, weight: number])[] = [
          // Long lists contain most words, and would hide the pages that explain them.
          [
            /\/reference\/(runtime\/|conformance|benchmarks|dependencies)|\/guides\/compare|\/project\/architecture/,
            0.4,
          ],
          [/\/reference\/diagnostics/, 0.55],
          [/\/glossary|\/guides\/coming-from-/, 0.5],
          // So would the whole files in tutorials and patterns, for error messages.
          [/\/tutorials\/|\/guides\/cookbook/, 0.7],
          [/\/reference\//, 0.8],
          // The main pages of their subjects.
          [/\/(quick-start|guides\/(deploy|migrate|monitor|testing|webhooks))\.html/, 1.65],
          [/\/troubleshooting/, 1.2],
          // Newcomers search for the names of concepts, and for tasks.
          [/\/concepts\//, 1.6],
          [/\/guides\/|\/project\//, 1.3],
        ];
        return weights.find(([path]) => path.test(id))?.[1] ?? 1;
      },
      // In a pasted error message, addresses, quoted names and times would match unrelated sections.
      tokenize: (text: string): string[] =>
        (text.length > 80 ? text.replace(/https?:\/\/\S+|"[^"]*"|\b\d[\w.:-]*/g, " ") : text).split(
          /[\n\r\p{Z}\p{P}]+/u,
        ),
      processTerm: (term: string): string | string[] | null => {
        /** Words of readers, with those of the pages. */
        const synonyms: Readonly<Record<string, readonly string[]>> = {
          ai: ["assistants"],
          air: ["internet", "sideload"],
          argo: ["argo", "gitops"],
          argocd: ["argo", "gitops"],
          autoscaling: ["scale"],
          capacity: ["sizing"],
          chart: ["chart", "helm"],
          children: ["children", "owner"],
          claude: ["assistants"],
          cleanup: ["finalizer", "cleanup"],
          copilot: ["assistants"],
          cr: ["custom", "object"],
          credentials: ["credentials", "secret"],
          cron: ["cronjob", "periodic"],
          cursor: ["assistants"],
          fluxcd: ["flux", "gitops"],
          ha: ["replicas", "leader"],
          hpa: ["scale"],
          install: ["install", "start"],
          k8s: ["kubernetes"],
          kstatus: ["kstatus", "readiness"],
          lease: ["lease", "leader"],
          llm: ["assistants", "llms"],
          llms: ["assistants", "llms"],
          logging: ["logging", "logs"],
          memory: ["memory", "sizing"],
          migration: ["migration", "migrate"],
          mock: ["fake", "memory"],
          mocking: ["fake", "memory"],
          mocks: ["fake", "memory"],
          multitenancy: ["tenants"],
          mutating: ["mutating", "defaulting"],
          pagination: ["pages", "limit", "list"],
          pdb: ["poddisruptionbudget"],
          permissions: ["permissions", "rbac"],
          perf: ["performance", "benchmarks"],
          performance: ["performance", "benchmarks"],
          profiling: ["profile", "pprof"],
          prometheus: ["prometheus", "metrics"],
          pvc: ["persistentvolumeclaim"],
          rollback: ["rollback", "upgrade"],
          sa: ["serviceaccount"],
          semver: ["versions", "semantic"],
          ssa: ["apply", "server"],
          teardown: ["uninstall"],
          tls: ["tls", "certificate"],
          tracing: ["tracing", "traces", "opentelemetry"],
          versioning: ["semantic", "stability"],
        };
        /** In a question, such as "what is a webhook", these words would match more than the subject. */
        const ignored = /^(an?|and|are|can|do|does|for|how|i|in|is|it|my|of|on|or|should|the|to|vs|what|which|with)$/i;
        const word = term.toLowerCase();
        if (ignored.test(word)) return null;
        return Object.hasOwn(synonyms, word) ? [...(synonyms[word] ?? [])] : word;
      },
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
