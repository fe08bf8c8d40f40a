import { type Failure, keyHeader } from "../protocol/protocol.ts";
import { storedKey } from "./key.ts";

/** An answer with a status of 4xx or 5xx, or none at all. */
export class ApiError extends Error {
  /** 0 without an answer. */
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/**
 * Fetches data of the session.
 *
 * @param path - such as `/api/status`
 * @throws ApiError if the session refuses the request, or has ended
 */
export async function get<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<T> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  const text = parameters.toString();
  return request<T>(text === "" ? path : `${path}?${text}`, { method: "GET" });
}

/**
 * Sends a change to the session.
 *
 * @throws ApiError if the session refuses the request, or has ended
 */
export async function post<T = unknown>(path: string, body: object = {}): Promise<T> {
  return request<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Ends all faults. */
export async function endFaults<T>(): Promise<T> {
  return request<T>("/api/faults", { method: "DELETE", headers: { "Content-Type": "application/json" } });
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  return (await (await send(path, init)).json()) as T;
}

/**
 * Sends a request with the key of the page.
 *
 * @returns an answer that isn't a failure
 * @throws ApiError if the session refuses the request, or has ended
 */
export async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  const headers = { ...(init.headers as Record<string, string>), [keyHeader]: storedKey() };
  try {
    response = await fetch(path, { ...init, headers, credentials: "same-origin" });
  } catch {
    throw new ApiError(0, "the session doesn't answer", "start scaffold dev again");
  }
  if (response.ok) return response;
  const failure = (await response.json().catch(() => undefined)) as Partial<Failure> | undefined;
  throw new ApiError(response.status, failure?.error ?? `the session answered ${response.status}`, failure?.hint);
}
