import { EventEmitter } from "node:events";
import { StringDecoder } from "node:string_decoder";

/** The input of interactive questions. */
export interface Keyboard {
  /** The stream to pass to readline. */
  readonly input: NodeJS.ReadableStream;
  /** Delivers the next line to the current question, after its previous answer was invalid. */
  again(): void;
}

/**
 * Delivers a terminal's input to the questions one line at a time. Input that arrives before its question is kept: inquirer
 * discards it, so that a script that sends all answers at once would hang. A closed terminal ends the input without an error.
 */
export function openKeyboard(source: NodeJS.ReadStream): Keyboard {
  const decoder = new StringDecoder("utf8");
  let waiting = "";
  let asked = false;
  let ended = false;
  // This isn't a Readable, because inquirer discards input that a Readable delivers before the question is drawn.
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
    // Wait until readline listens, which is after it was created, and after a question rejected an answer.
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
