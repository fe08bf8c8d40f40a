import { encodeJson, goQuote } from "@kubewright/cel/json";
import { parseDuration } from "@kubewright/cel/language";
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
  const nanos = parseDuration(text);
  if (nanos === undefined) {
    throw badRequest(`invalid timeout specified in the request URL - ${durationProblem(text)}`);
  }
  const milliseconds = Number(nanos) / 1e6;
  return milliseconds > 0 && milliseconds < requestTimeout ? milliseconds : requestTimeout;
}

function durationProblem(text: string): string {
  const rest = text.replace(/^[+-]/, "").replace(/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*/, "");
  const [, number, unit = ""] = /^(\d+\.?\d*|\.\d+)?([^\d.]*)/.exec(rest) ?? [];
  if (number === undefined || number === "") return `time: invalid duration ${goQuote(text)}`;
  if (unit === "") return `time: missing unit in duration ${goQuote(text)}`;
  return `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
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
