import type { RequestInfo } from "../request/request-info.ts";

/** Counts requests for `/metrics`, in the form of Prometheus. */
export class RequestMetrics {
  readonly #counts = new Map<string, number>();

  /**
   * Counts a request for a resource or path that the server has. Requests for others, and requests that are refused, aren't
   * counted: clients without permissions choose their texts.
   *
   * @param info - what it asked for
   * @param code - the HTTP status code of the answer
   * @param dryRun - true if it was a dry run
   */
  count(info: RequestInfo, code: number, dryRun: boolean): void {
    const { group, version, resource, subresource, verb, namespace, name } = info;
    const scope = name !== "" ? "resource" : namespace !== "" ? "namespace" : info.isResource ? "cluster" : "";
    const asked = info.isResource ? subresource : info.path;
    if ([group, version, resource, asked].some((label) => label.length > maxLabel)) return;
    // The labels are only written when somebody reads them.
    const labels = [String(code), dryRun ? "All" : "", group, resource, scope, asked, verbLabel(verb), version];
    const key = JSON.stringify(labels);
    const count = this.#counts.get(key);
    // Definitions that come and go have names that their authors choose: they must not fill the memory.
    if (count === undefined && this.#counts.size >= maxSeries) return;
    this.#counts.set(key, (count ?? 0) + 1);
  }

  /** Returns the metrics as text. */
  text(): string {
    const lines = [
      "# HELP apiserver_request_total [STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.",
      "# TYPE apiserver_request_total counter",
    ];
    const series = new Map<string, number>();
    for (const [key, count] of this.#counts) {
      const labels = labelsOf(key);
      series.set(labels, (series.get(labels) ?? 0) + count);
    }
    for (const [labels, count] of [...series].sort(([a], [b]) => (a < b ? -1 : 1))) {
      lines.push(`apiserver_request_total{${labels}} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

const maxSeries = 10_000;
/** The longest name of a group, in characters. */
const maxLabel = 253;

function labelsOf(key: string): string {
  const [code, dryRun, group, resource, scope, asked, verb, version] = JSON.parse(key) as [string, ...string[]];
  return Object.entries({
    ...{ code, component: "apiserver", dry_run: dryRun, group, resource, scope, subresource: asked },
    ...{ verb, version },
  })
    .map(([name, value]) => `${name}="${escapeLabel(value as string)}"`)
    .join(",");
}

const verbLabels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    get: "GET",
    list: "LIST",
    watch: "WATCH",
    create: "POST",
    update: "PUT",
    patch: "PATCH",
    delete: "DELETE",
    deletecollection: "DELETECOLLECTION",
    ...{ head: "GET", post: "POST", put: "PUT", proxy: "PROXY", connect: "CONNECT" },
  }),
);

/** Any token can be a method. */
function verbLabel(verb: string): string {
  return verbLabels.get(verb) ?? "other";
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));
}
