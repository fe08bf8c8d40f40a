import { constants } from "node:buffer";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getHeapStatistics } from "node:v8";
import { isPanic } from "../../errors/panic.ts";
import { refuse } from "../../http/refusal.ts";
import { errorText } from "../../log/error-text.ts";
import { type BodyLimits, readBody } from "../http/body.ts";
import type { HookHost } from "../http/hook-host.ts";
import { answerNoRoom, NoRoomError } from "../http/memory-limiter.ts";
import { RefusalLog } from "../http/refusal-log.ts";
import { convertObject } from "./convert.ts";
import type { ConverterRegistry } from "./registry.ts";
import { type ConversionReview, decodeConversion, encodeConversion } from "./review.ts";

// A list is converted in one request of any size. Two limits apply: the maximum length of a string, and the part of the heap
// in which text, objects and text again fit. Larger requests would end the process, and everyone who can reach the port
// could send them.
const size = Math.min(constants.MAX_STRING_LENGTH, Math.floor(getHeapStatistics().heap_size_limit / 4));
const defaultLimits = { size, time: 30_000, depth: 1000 };

/**
 * Answers ConversionReviews over HTTP: 400 for invalid reviews, 503 if memory is used up, else 200 with the result in
 * the response.
 */
export function conversionListener(
  converters: ConverterRegistry,
  host: HookHost,
  changed: Partial<BodyLimits> = {},
): RequestListener {
  const { log, metrics, memory } = host;
  const limits = { ...defaultLimits, memory, ...changed };
  const refusals = new RefusalLog(log, "failed to read conversion request");

  /** Returns `undefined` if it has already responded. */
  async function read(request: IncomingMessage, response: ServerResponse): Promise<ConversionReview | undefined> {
    try {
      return decodeConversion(await readBody(request, response, limits));
    } catch (error) {
      refusals.add(error, request.url);
      refuse(response);
      if (error instanceof NoRoomError) answerNoRoom(response, error);
      else response.writeHead(400).end();
      return undefined;
    }
  }

  async function convertAll({ request }: ConversionReview): Promise<unknown[] | Error> {
    try {
      const converted: unknown[] = [];
      for (const object of request.objects ?? []) {
        converted.push(await convertObject(converters, object, request.desiredAPIVersion ?? ""));
      }
      return converted;
    } catch (error) {
      log.error(error, "failed to convert", { request: request.uid });
      if (!isBug(error)) return new Error(errorText(error));
      metrics.conversionPanicked();
      return new Error("internal error occurred during conversion");
    }
  }

  return async (request, response) => {
    const review = await read(request, response);
    if (!review) return;
    const outcome = await convertAll(review);
    let text: string;
    try {
      text = encodeConversion(review, outcome);
    } catch (error) {
      log.error(error, "failed to write response");
      text = encodeConversion(review, new Error("the converted objects can't be converted to JSON"));
    }
    response.writeHead(200, { "Content-Type": "application/json" }).end(text);
  };
}

/** Checks whether an error, or its cause, is a bug. */
function isBug(error: unknown): boolean {
  if (isPanic(error)) return true;
  try {
    const { cause } = error as Error;
    return cause !== undefined && isPanic(cause);
  } catch {
    // A getter of the error threw.
    return true;
  }
}
