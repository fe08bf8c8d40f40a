import { expect, it } from "vitest";
import { expectLinearBetween } from "../../../../scripts/test-support/growth.ts";
import { ByteSource } from "./bytes.ts";
import { jsonLine, readLines } from "./json-lines.ts";

const event = (size: number): string => `${JSON.stringify({ type: "ADDED", object: { data: "x".repeat(size) } })}\n`;

const streams: Readonly<Record<string, (size: number) => { chunks: Buffer[]; lines: number }>> = {
  "many lines in one chunk": (size) => ({ chunks: [Buffer.from(event(10).repeat(size))], lines: size }),
  "many lines in chunks of their own": (size) => ({
    chunks: Array.from({ length: size }, () => Buffer.from(event(10))),
    lines: size,
  }),
  "one line in many chunks": (size) => {
    const line = Buffer.from(event(size * 16));
    const chunks: Buffer[] = [];
    for (let at = 0; at < line.length; at += 16) chunks.push(line.subarray(at, at + 16));
    return { chunks, lines: 1 };
  },
  "empty lines": (size) => ({ chunks: [Buffer.from("\n".repeat(size * 10) + event(1))], lines: 1 }),
  "one line with many fields": (size) => ({
    chunks: [
      Buffer.from(`${JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, i) => [`f${i}`, i])))}\n`),
    ],
    lines: 1,
  }),
  "one line with deep objects": (size) => ({
    chunks: [Buffer.from(`${`{"a":`.repeat(50)}[${"{},".repeat(size)}{}]${"}".repeat(50)}\n`)],
    lines: 1,
  }),
};

it.each(Object.keys(streams))("a watch reads %s in linear time", async (name) => {
  await expectLinearBetween(
    async (size) => {
      const { chunks, lines } = (streams[name] as (typeof streams)[string])(size);
      return async () => {
        const source = new ByteSource({ pause: () => {}, resume: () => {}, abort: () => {} });
        for (const chunk of chunks) source.push(chunk);
        source.finish();
        let count = 0;
        for await (const _line of readLines(source, "watch", jsonLine)) count++;
        expect(count).toBe(lines);
      };
    },
    [2000, 40_000],
  );
});
