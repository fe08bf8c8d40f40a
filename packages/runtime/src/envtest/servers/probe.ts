import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

export interface ProbeOptions {
  ca?: string;
  cert?: string;
  key?: string;
  signal?: AbortSignal;
}

/**
 * Returns the status of a GET request. Each probe uses its own connection: shared connections and retries of the transport
 * would distort the check of a starting server.
 */
export function probeStatus(url: string, options: ProbeOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith("https:") ? requestHttps : requestHttp;
    const request = send(url, { ...options, agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", reject);
    });
    request.once("error", reject);
    request.end();
  });
}
