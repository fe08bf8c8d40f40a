import { redactText } from "../log/redact-text.ts";
import type { TransportRequest } from "./transport.ts";

/** Parses the URL of a server. `host:port` without a scheme means https. Throws a one-line error for invalid URLs. */
export function parseServerUrl(host: string): URL {
  let url: URL;
  try {
    url = new URL(host.includes("://") ? host : `https://${host}`);
  } catch {
    throw new Error(`invalid server URL ${JSON.stringify(redactText(host))}`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new Error(`invalid server URL ${JSON.stringify(redactText(host))}: it must start with https:// or http://`);
  }
  if (url.hostname === "")
    throw new Error(`invalid server URL ${JSON.stringify(redactText(host))}: it must contain a host`);
  return url;
}

/** Returns the path of a server's URL, without slashes at its end. */
export function serverPath({ pathname }: URL): string {
  return pathname.replace(/(?<!\/)\/+$/, "");
}

/** Returns the path and query of a request, including the path of the server's URL. */
export function requestPath(server: URL, request: Pick<TransportRequest, "path" | "query">): string {
  if (!request.path.startsWith("/"))
    throw new TypeError(`invalid request path ${request.path}: it must start with "/"`);
  const path = serverPath(server) + request.path;
  if (!request.query) return path;
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(request.query)) if (value !== undefined) query.append(key, String(value));
  const text = query.toString();
  if (text === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${text}`;
}
