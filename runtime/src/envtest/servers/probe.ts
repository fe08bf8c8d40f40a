import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

export interface ProbeOptions {
  ca?: string;
  cert?: string;
  key?: string;
  signal?: AbortSignal;
}

/**
 * Status of a GET. A connection of its own each time: the transport would share one, with retries, which is not what
 * tells whether a server has just come up.
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
