import { DurationError, parseDuration } from "@kubewright/cel/duration";
import { encodeJson } from "@kubewright/cel/json";
import type { Answer } from "../model/request.ts";
import { badRequest, StatusError } from "../model/status.ts";
import type { RequestInfo } from "./request-info.ts";

/** The limit for requests in milliseconds. */
export const requestTimeout = 60_000;

const streamed = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/**
 * Computes how long a request may take.
 *
 * @param info - the request, whose parameter `timeout` can shorten the limit
 * @returns the limit in milliseconds, infinite for watches and other streams
 * @throws StatusError (400) if the parameter isn't a duration
 */
export function timeoutOf(info: RequestInfo): number {
  if (info.verb === "watch" || info.verb === "proxy" || streamed.has(info.subresource)) return Number.POSITIVE_INFINITY;
  const text = info.query.text("timeout");
  if (text === "") return requestTimeout;
  const milliseconds = Number(nanosecondsOf(text)) / 1e6;
  return milliseconds > 0 && milliseconds < requestTimeout ? milliseconds : requestTimeout;
}

function nanosecondsOf(text: string): bigint {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw badRequest(`invalid timeout specified in the request URL - ${error.message}`);
  }
}

/** The error of a request that takes too long. */
export class RequestTimeout extends StatusError {
  constructor() {
    super(504, "Timeout", "Timeout: request did not complete within the allotted timeout", {});
  }

  /** Returns the answer, which unlike others has no kind and no media type of the API. */
  answer(): Answer {
    const { kind: _kind, apiVersion: _version, ...status } = this.status();
    return { status: 504, headers: { "content-type": "text/plain; charset=utf-8" }, body: `${encodeJson(status)}\n` };
  }
}
