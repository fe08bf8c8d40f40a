import { once } from "node:events";
import { createGunzip } from "node:zlib";
import { ByteSource } from "./bytes.ts";
import { WireError } from "./http/wire-error.ts";

/**
 * Decompresses a body as it arrives. Its reader limits the size, as that of any body: it's read no faster than it's used, so
 * a few bytes that expand to gigabytes take no more memory than the limit.
 *
 * @param source - the compressed body, which can have several parts, such as one for each event
 * @returns the decompressed body
 */
export function gunzipped(source: ByteSource): ByteSource {
  const gunzip = createGunzip();
  const end = (error: unknown): void => {
    gunzip.destroy();
    source.cancel(new Error("the body isn't needed"));
    body.finish(error);
  };
  const body = new ByteSource({
    pause: () => gunzip.pause(),
    resume: () => gunzip.resume(),
    abort: end,
    limitSilence: source.limitSilence,
  });
  const closed = new Promise((resolve) => gunzip.once("close", resolve));
  const write = async (): Promise<void> => {
    for (let chunk = await source.next(); chunk && !gunzip.destroyed; chunk = await source.next()) {
      if (!gunzip.write(chunk)) await Promise.race([once(gunzip, "drain"), closed]);
    }
    gunzip.end();
  };
  gunzip.on("data", (chunk: Buffer) => body.push(chunk));
  gunzip.on("end", () => body.finish());
  gunzip.on("error", ({ message }) => end(new WireError("EBADANSWER", `the answer isn't valid gzip: ${message}`)));
  write().catch(end);
  return body;
}
