import { constants } from "node:buffer";
import type { IncomingMessage, RequestListener } from "node:http";
import { getHeapStatistics } from "node:v8";
import { isPanic } from "../../errors/panic.ts";
import { errorText } from "../../log/error-text.ts";
import { readBody } from "../http/body.ts";
import type { HookHost } from "../http/hook-host.ts";
import { convertObject } from "./convert.ts";
import type { ConverterRegistry } from "./registry.ts";
import { type ConversionReview, decodeConversion, encodeConversion } from "./review.ts";

// A list is converted in one request, however long it is: the limits are the longest text there can be, and what the heap has room for
// as text, as objects and as text again. Beyond that the process would end, and whoever reaches the port could ask for it.
const size = Math.min(constants.MAX_STRING_LENGTH, Math.floor(getHeapStatistics().heap_size_limit / 4));
const limits = { size, time: 30_000, depth: 1000 };

/** Answers ConversionReviews over HTTP: 400 for what is no review, else 200 with the outcome in the answer. */
export function conversionListener(converters: ConverterRegistry, host: HookHost): RequestListener {
  const { log, metrics } = host;

  async function read(request: IncomingMessage): Promise<ConversionReview | undefined> {
    try {
      return decodeConversion(await readBody(request, limits));
    } catch (error) {
      log.error(error, "failed to read conversion request");
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
    const review = await read(request);
    if (!review) {
      response.writeHead(400).end();
      return;
    }
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
  const { cause } = error as Error;
  return cause !== undefined && isPanic(cause);
}
