import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Agent, EnvHttpProxyAgent, fetch, type Response } from "undici";
import { Problem, reason } from "./problem.ts";

// Offline, the attempt must fail quickly so that the fallback is used.
const CONNECT_TIMEOUT = 5_000;
const TEXT_TIMEOUT = 15_000;
const IDLE_TIMEOUT = 30_000;

async function open(url: string, signal: AbortSignal): Promise<Response> {
  const options = { connect: { timeout: CONNECT_TIMEOUT }, headersTimeout: TEXT_TIMEOUT, bodyTimeout: IDLE_TIMEOUT };
  const proxied =
    process.env.HTTPS_PROXY || process.env.https_proxy || process.env.HTTP_PROXY || process.env.http_proxy;
  const dispatcher = proxied ? new EnvHttpProxyAgent(options) : new Agent(options);
  let response: Response;
  try {
    response = await fetch(url, { dispatcher, signal });
  } catch (error) {
    throw new Problem(`cannot reach ${url} (${reason(error)})`);
  }
  if (!response.ok || !response.body) throw new Problem(`${url} answered ${response.status} ${response.statusText}`);
  return response;
}

/** Returns the text at a URL. Throws a `Problem`, within seconds if the network is unreachable. */
export async function downloadText(url: string, signal: AbortSignal): Promise<string> {
  const response = await open(url, AbortSignal.any([signal, AbortSignal.timeout(TEXT_TIMEOUT)]));
  try {
    return await response.text();
  } catch (error) {
    throw new Problem(`${url} broke off (${reason(error)})`);
  }
}

/** Downloads a file and verifies its SHA-512 checksum (hex; `undefined` skips the check). Throws a `Problem`. */
export async function downloadFile(
  url: string,
  file: string,
  sha512: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const response = await open(url, signal);
  const hash = createHash("sha512");
  const counted = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(Readable.fromWeb(response.body as never), counted, createWriteStream(file), { signal });
  } catch (error) {
    throw new Problem(`${url} broke off (${reason(error)})`);
  }
  const actual = hash.digest("hex");
  if (sha512 !== undefined && actual !== sha512.toLowerCase()) {
    throw new Problem(`${url}: its SHA-512 is ${actual.slice(0, 16)}…, not ${sha512.slice(0, 16)}… as published`);
  }
}
