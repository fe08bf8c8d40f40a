import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

/** The page loads nothing from other servers, and objects of the cluster can't run scripts in it. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const headers = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const placeholder = `<!doctype html><html lang="en"><meta charset="utf-8"><title>scaffold dev</title>
<p>The dashboard isn't part of this build. Use <code>npx scaffold dev status</code> in the project.</p></html>
`;

/** Sends a file of the dashboard. Paths without an extension are views of the page. */
export function sendAsset(response: ServerResponse, directory: string | undefined, path: string): void {
  const name = extname(path) === "" ? "index.html" : path;
  const type = types[extname(name)];
  const content = directory === undefined || type === undefined ? undefined : read(directory, name);
  if (content !== undefined) {
    // Names of built files contain a hash of their content.
    const cache = name === "index.html" ? "no-store" : "private, max-age=3600";
    response.writeHead(200, { ...headers, "Content-Type": type, "Cache-Control": cache }).end(content);
  } else if (name === "index.html") {
    response
      .writeHead(200, { ...headers, "Content-Type": types[".html"], "Cache-Control": "no-store" })
      .end(placeholder);
  } else response.writeHead(404, { ...headers, "Content-Type": "text/plain; charset=utf-8" }).end("not found\n");
}

/** Returns the answer to a visitor without a valid token. */
export function sendRefusalPage(response: ServerResponse): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>scaffold dev</title>
<p>This link was used already, or belongs to another session. Get a new one: <code>npx scaffold dev open</code> in the project, or <kbd>o</kbd> in the terminal of <code>scaffold dev</code>.</p></html>
`;
  response.writeHead(401, { ...headers, "Content-Type": types[".html"], "Cache-Control": "no-store" }).end(page);
}

function read(directory: string, path: string): Buffer | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const file = normalize(join(directory, decoded));
  if (decoded.includes("\0") || !file.startsWith(directory + sep)) return undefined;
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
