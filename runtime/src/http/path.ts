/**
 * The path that a request asks for, as it came: nothing in it is decoded or resolved, so nothing in it leads elsewhere, and no request
 * is too odd to have one. Several slashes at the front are one, as Go's envtest writes them; a whole URL, as proxies ask, counts too.
 */
export function pathOf(url: string | undefined): string {
  const [path = ""] = (url ?? "").split(/[?#]/, 1);
  return path.replace(/^https?:\/\/[^/]*/i, "").replace(/^\/*/, "/");
}

/** What stands behind the question mark. */
export function queryOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(url ?? "")?.[1]);
}
