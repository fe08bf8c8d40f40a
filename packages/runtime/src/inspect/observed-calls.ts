import { subscribe } from "node:diagnostics_channel";
import { errorText } from "../log/error-text.ts";
import { redactText } from "../log/redact-text.ts";
import type { ReconcileCall } from "../session/records.ts";
import { inspectedScope } from "./scope.ts";

type End = (end: Pick<ReconcileCall, "status" | "error">) => void;

/** A request of `fetch` and of the package undici, which has the same channels. */
interface UndiciRequest {
  readonly origin?: string | URL;
  readonly path?: string;
  readonly method?: string;
}

/** A request of `node:http` and `node:https`. */
interface HttpRequest {
  readonly protocol?: string;
  readonly host?: string;
  readonly path?: string;
  readonly method?: string;
  getHeader?(name: string): unknown;
}

const open = new WeakMap<object, End>();
let isObserving = false;

/**
 * Records the HTTP requests of reconcilers to other servers from now on, by the channels that Node.js and its clients report
 * requests to.
 */
export function observeCalls(): void {
  if (isObserving) return;
  isObserving = true;
  const on = <T extends object>(
    channel: string,
    receive: (message: {
      readonly request: T;
      readonly response?: { readonly statusCode?: number };
      readonly error?: unknown;
    }) => void,
  ): void => subscribe(channel, (message) => receive(message as never));
  const answered = ({ request, response }: { request: object; response?: { readonly statusCode?: number } }): void => {
    const status = response?.statusCode;
    open.get(request)?.({ error: null, ...(status === undefined ? {} : { status }) });
  };
  const failed = ({ request, error }: { request: object; error?: unknown }): void =>
    open.get(request)?.({ error: errorText(error) });

  on<UndiciRequest>("undici:request:create", ({ request }) => {
    begin(request, request.method, `${request.origin ?? ""}${request.path ?? ""}`);
  });
  on<UndiciRequest>("undici:request:headers", answered);
  on<UndiciRequest>("undici:request:error", failed);
  on<HttpRequest>("http.client.request.start", ({ request }) => {
    const host = request.getHeader?.("host") ?? request.host ?? "";
    begin(request, request.method, `${request.protocol ?? "http:"}//${String(host)}${request.path ?? ""}`);
  });
  on<HttpRequest>("http.client.response.finish", answered);
  on<HttpRequest>("http.client.request.error", failed);
}

function begin(request: object, method = "GET", url: string): void {
  const scope = inspectedScope.getStore();
  if (scope && !scope.isApiRequest) open.set(request, scope.reconcile.call({ method, url: shownUrl(url) }));
}

/** Returns a URL without credentials: names of users, passwords, and the values of its query. */
function shownUrl(text: string): string {
  if (!URL.canParse(text)) return redactText(text);
  const { protocol, host, pathname, searchParams } = new URL(text);
  const query = [...new Set(searchParams.keys())].map((name) => `${name}=…`).join("&");
  return redactText(`${protocol}//${host}${pathname}${query === "" ? "" : `?${query}`}`).slice(0, 500);
}
