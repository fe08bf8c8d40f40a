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

// A list is converted in one request, however long it is: the limits are the longest text there can be, and what the heap has room for
// as text, as objects and as text again. Beyond that the process would end, and whoever reaches the port could ask for it.
const size = Math.min(constants.MAX_STRING_LENGTH, Math.floor(getHeapStatistics().heap_size_limit / 4));
const defaultLimits: BodyLimits = { size, time: 30_000, depth: 1000 };

/** Answers ConversionReviews over HTTP: 400 for what is no review, 503 without room for it, else 200 with the outcome in the answer. */
export function conversionListener(
  converters: ConverterRegistry,
  host: HookHost,
  limits: BodyLimits = defaultLimits,
): RequestListener {
  const { log, metrics } = host;
  const refusals = new RefusalLog(log, "failed to read conversion request");

  /** Gives nothing where it has answered already. */
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
      text = encodeConversion(review, new Error("the converted objects can't be written as JSON"));
    }
    response.writeHead(200, { "Content-Type": "application/json" }).end(text);
  };
}

/** Whether it is a bug that was thrown, or what led to the error. */
function isBug(error: unknown): boolean {
  if (isPanic(error)) return true;
  try {
    const { cause } = error as Error;
    return cause !== undefined && isPanic(cause);
  } catch {
    // A getter of the error throws.
    return true;
  }
}
