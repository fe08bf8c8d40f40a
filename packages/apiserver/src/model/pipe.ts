import type { StreamChunk, StreamSink } from "./request.ts";

/**
 * Writes chunks to a sink, and waits while its buffer is full. Ends the sink after the last chunk, or after an error.
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
