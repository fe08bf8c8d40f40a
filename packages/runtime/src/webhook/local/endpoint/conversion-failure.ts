import type { ServerResponse } from "node:http";
import { decodeConversion, encodeConversion } from "../../conversion/review.ts";

/** Answers a conversion with a failure, whose message API servers pass on to their clients. */
export function conversionFailure(response: ServerResponse, body: Buffer, message: string): void {
  let text: string;
  try {
    text = encodeConversion(decodeConversion(body.toString()), new Error(message));
  } catch {
    response.writeHead(400).end();
    return;
  }
  response.writeHead(200, { "Content-Type": "application/json" }).end(text);
}
