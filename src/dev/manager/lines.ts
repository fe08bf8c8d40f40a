import type { Readable } from "node:stream";

/** In characters: output without line breaks, such as binary data, is passed on in parts of this length. */
const longest = 1024 * 1024;

/** Calls a function for each line of a stream, without its line break. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = chunk.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line.replace(/\r$/, ""));
    for (; rest.length >= longest; rest = rest.slice(longest)) onLine(rest.slice(0, longest));
  });
  stream.once("end", () => {
    if (rest !== "") onLine(rest);
  });
}
