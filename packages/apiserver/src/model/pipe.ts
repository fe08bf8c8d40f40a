import type { StreamChunk, StreamSink } from "./request.ts";

/**
 * Sends chunks to a sink, as fast as it takes them. Ends the sink when there are no more, or they can't be read.
 *
 * @param chunks - the chunks
 * @param sink - their receiver
 */
export function pipeTo(chunks: AsyncIterable<StreamChunk>, sink: StreamSink): void {
  const run = async (): Promise<void> => {
    for await (const chunk of chunks) {
      if (!sink.write(chunk)) await new Promise<void>((resolve) => sink.onDrain(resolve));
    }
  };
  run()
    .catch(() => {})
    .finally(() => sink.end());
}
