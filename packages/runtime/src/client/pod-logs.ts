import type { Client, ObjectKey } from "./client.ts";

/** Selects a part of a log. The default is all of it. */
export interface PodLogOptions {
  /**
   * Name of the container. Required if the Pod has several.
   *
   * @defaultValue the only container
   */
  container?: string;
  /**
   * Waits for further lines until the container ends or the signal aborts.
   *
   * @defaultValue false
   */
  follow?: boolean;
  /**
   * Returns the log of the previous run of the container.
   *
   * @defaultValue false
   */
  previous?: boolean;
  /**
   * Returns only the lines of the last seconds.
   *
   * @defaultValue no limit
   */
  sinceSeconds?: number;
  /**
   * Returns only the lines since this time, in RFC 3339 format such as `2026-01-01T00:00:00Z`.
   *
   * @defaultValue no limit
   */
  sinceTime?: string;
  /**
   * Returns only the last lines.
   *
   * @defaultValue no limit
   */
  tailLines?: number;
  /**
   * Ends after about this number of bytes, even within a line.
   *
   * @defaultValue no limit
   */
  limitBytes?: number;
  /**
   * Prefixes each line with the time at which it was written.
   *
   * @defaultValue false
   */
  timestamps?: boolean;
  /** Ends the read. */
  signal?: AbortSignal;
}

/**
 * Reads the log of a container line by line. It ends without an error when the signal aborts.
 *
 * @param client - reads the log
 * @param key - namespace and name of the Pod
 * @param options - see {@link PodLogOptions}
 * @returns the lines, as they arrive
 * @throws ApiError if the server can't return the log, for example because the container doesn't exist or hasn't
 * started
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
