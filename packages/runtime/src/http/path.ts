/**
 * Returns the path of a request as it was sent: nothing is decoded or resolved, so it can't refer to another path.
 * Multiple leading slashes, which Go's envtest sends, count as one. It also accepts whole URLs, which proxies send.
 */
export function pathOf(url: string | undefined): string {
  const [path = ""] = (url ?? "").split(/[?#]/, 1);
  return path.replace(/^https?:\/\/[^/]*/i, "").replace(/^\/*/, "/");
}

/** Returns the query parameters. */
export function queryOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(url ?? "")?.[1]);
}
