import type { RequestInfo } from "./request/request-info.ts";

/** Counts requests for `/metrics`, in the form of Prometheus. */
export class RequestMetrics {
  readonly #counts = new Map<string, number>();

  /**
   * Counts a request.
   *
   * @param info - what it asked for
   * @param code - the HTTP status code of the answer
   * @param dryRun - true if it was a dry run
   */
  count(info: RequestInfo, code: number, dryRun: boolean): void {
    const { group, version, resource, subresource, verb, namespace, name } = info;
    const scope = name !== "" ? "resource" : namespace !== "" ? "namespace" : info.isResource ? "cluster" : "";
    const asked = info.isResource ? subresource : info.path;
    // The labels are only written when somebody reads them.
    const key = JSON.stringify([String(code), dryRun ? "All" : "", group, resource, scope, asked, verb, version]);
    const count = this.#counts.get(key);
    // Requests to unknown resources come with names that clients choose: they must not fill the memory.
    if (count === undefined && this.#counts.size >= maxSeries) return;
    this.#counts.set(key, (count ?? 0) + 1);
  }

  /** @returns the metrics as text */
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

function labelsOf(key: string): string {
  const [code, dryRun, group, resource, scope, asked, verb, version] = JSON.parse(key) as [string, ...string[]];
  return Object.entries({
    ...{ code, component: "apiserver", dry_run: dryRun, group, resource, scope, subresource: asked },
    ...{ verb: verbLabel(verb as string), version },
  })
    .map(([name, value]) => `${name}="${escapeLabel(value as string)}"`)
    .join(",");
}

const verbLabels: Record<string, string> = {
  get: "GET",
  list: "LIST",
  watch: "WATCH",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETECOLLECTION",
};

function verbLabel(verb: string): string {
  return verbLabels[verb] ?? verb.toUpperCase();
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));
}
