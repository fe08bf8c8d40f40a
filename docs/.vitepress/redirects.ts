/** Addresses of pages that have moved, with those of today. An anchor is kept unless the new address has one. */
export const redirects: Readonly<Record<string, string>> = {
  architecture: "project/architecture",
  compare: "guides/compare",
  deploy: "guides/deploy",
  generate: "guides/generate",
  migrate: "guides/migrate",
  security: "project/security",
  testing: "guides/testing",
  webhooks: "guides/webhooks",
  "concepts/observability": "guides/monitor",
  "concepts/testing": "guides/testing",
  "concepts/webhooks": "guides/webhooks",
  ...Object.fromEntries(
    [
      "big-crds",
      "change-a-project",
      "coming-from-kubebuilder",
      "control-reconciles",
      "develop",
      "envtest-in-go",
      "find-mistakes-in-markers",
      "least-privilege",
      "list-and-watch",
      "migrate-stored-objects",
      "monitor",
      "plan",
      "profile",
      "read-and-write",
      "readiness",
      "several-clusters",
      "simulate",
      "trace-with-opentelemetry",
      "upgrade",
      "verify-an-upgrade",
      "watch-other-kinds",
      "webhooks-on-your-machine",
      "webhooks-without-cert-manager",
      "windows",
    ].map((page) => [`how-to/${page}`, `guides/${page}`]),
  ),
};

/**
 * Returns the page at an old address, which leads to the new one. It works without a configuration of the server.
 *
 * @param to - the path of the page without `.html`
 * @param site - the address of the site, which ends with a slash
 */
export function redirectPage(to: string, site: string): string {
  const address = new URL(`${to}.html`, site).href;
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<link rel="canonical" href="${address}">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="1; url=${address}">
<script>location.replace(${JSON.stringify(address)} + location.hash)</script>
</head>
<body><p>This page has moved to <a href="${address}">${address}</a>.</p></body>
</html>
`;
}
