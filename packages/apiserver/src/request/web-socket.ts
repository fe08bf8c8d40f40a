import { isUtf8 } from "node:buffer";
import type { ApiRequest } from "../model/request.ts";

type Headers = ApiRequest["headers"];

const tokenPrefix = "base64url.bearer.authorization.k8s.io.";

function textOf(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(",") : (value ?? "");
}

/** Reports whether a request asks for a WebSocket. */
export function isWebSocketRequest(headers: Headers): boolean {
  if (textOf(headers.upgrade).toLowerCase() !== "websocket") return false;
  return textOf(headers.connection).toLowerCase().includes("upgrade");
}

/** The protocols that a client offers for a WebSocket. Browsers, which can't set header fields, send their token as one. */
export interface WebSocketProtocols {
  /** The bearer token; null if it can't be read, or nothing else is offered. */
  token: string | null | undefined;
  /** The protocols without the token. */
  others: string[];
  /** All protocols. */
  all: string[];
}

/** Reads the protocols that a client offers for a WebSocket. */
export function webSocketProtocols(headers: Headers): WebSocketProtocols {
  const text = textOf(headers["sec-websocket-protocol"]).trim();
  const all = text === "" ? [] : text.split(",").map((protocol) => protocol.trim());
  const others = all.filter((protocol) => !protocol.startsWith(tokenPrefix));
  const encoded = all
    .filter((protocol) => protocol.startsWith(tokenPrefix))
    .map((one) => one.slice(tokenPrefix.length));
  return { token: tokenOf(encoded, others), others, all };
}

function tokenOf([first, second]: readonly string[], others: readonly string[]): string | null | undefined {
  if (first === undefined) return undefined;
  const token = second === undefined ? decoded(first) : null;
  if (token === "") return undefined;
  return others.length === 0 ? null : token;
}

function decoded(text: string): string | null {
  const bytes = Buffer.from(text, "base64url");
  return /^[\w-]*$/.test(text) && text.length % 4 !== 1 && isUtf8(bytes) ? bytes.toString() : null;
}
