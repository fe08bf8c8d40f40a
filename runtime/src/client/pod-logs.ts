import type { Client, ObjectKey } from "./client.ts";

/** Which part of a log is wanted; all of it by default. */
export interface PodLogOptions {
  /** Needed where the Pod has several. */
  container?: string;
  /** Go on with what is written from now on, until the container ends or the signal aborts. */
  follow?: boolean;
  /** Of the container's last run, before this one. */
  previous?: boolean;
  /** Only what was written in the last so many seconds. */
  sinceSeconds?: number;
  /** Only what was written since then: RFC 3339, as in `2026-01-01T00:00:00Z`. */
  sinceTime?: string;
  /** Only the last so many lines. */
  tailLines?: number;
  /** Ends after so many bytes, more or less; within a line too. */
  limitBytes?: number;
  /** Each line begins with the time at which it was written. */
  timestamps?: boolean;
  signal?: AbortSignal;
}

/**
 * The log of a Pod's container, line by line. Ends quietly when the signal aborts; throws the `ApiError` of a server that can't
 * give it (no such container, not started yet).
 *
 * @example
 * for await (const line of podLogs(client, { namespace: "default", name: "web" }, { follow: true, signal })) console.log(line);
 */
export function podLogs(
  client: Pick<Client, "subResource">,
  { namespace, name }: ObjectKey,
  { signal, ...query }: PodLogOptions = {},
): AsyncIterable<string> {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { namespace, name } };
  return client.subResource("log").lines(pod, { query, signal });
}
