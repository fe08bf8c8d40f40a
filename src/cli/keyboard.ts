import { EventEmitter } from "node:events";
import { StringDecoder } from "node:string_decoder";

/** What is typed, as questions read it. */
export interface Keyboard {
  /** For readline. */
  readonly input: NodeJS.ReadableStream;
  /** The question that has its answer asks again. */
  again(): void;
}

/**
 * Hands a terminal's input to one question after another, an answer at a time: what is typed or sent ahead waits for the
 * question that it answers. Inquirer throws such input away, and a script that sends all answers at once would be asked in
 * vain. A terminal that is gone ends the input, and is no error.
 */
export function openKeyboard(source: NodeJS.ReadStream): Keyboard {
  const decoder = new StringDecoder("utf8");
  let waiting = "";
  let asked = false;
  let ended = false;
  // Not a Readable: of those inquirer drops what comes before it has drawn its question.
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (mode: boolean) => {
      source.setRawMode?.(mode);
      return input;
    },
    resume: () => {
      source.resume();
      again();
      return input;
    },
    pause: () => {
      asked = false;
      source.pause();
      return input;
    },
  });
  const again = () => {
    asked = true;
    // Readline listens when it has been made, and so does a question when it has refused an answer.
    setImmediate(answer);
  };
  const answer = () => {
    if (!asked) return;
    const [line = ""] = /^[^\r\n]*(\r\n|\r|\n)?/.exec(waiting) ?? [];
    if (line === "") {
      if (ended) input.emit("end");
      return;
    }
    waiting = waiting.slice(line.length);
    asked = !/[\r\n]$/.test(line);
    input.emit("data", Buffer.from(line));
    if (ended) setImmediate(answer);
  };
  source.on("data", (chunk: Buffer) => {
    waiting += decoder.write(chunk);
    answer();
  });
  for (const event of ["end", "close", "error"]) {
    source.on(event, () => {
      ended = true;
      answer();
    });
  }
  return { input: input as unknown as NodeJS.ReadableStream, again };
}
