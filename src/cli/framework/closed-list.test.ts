import { expect, it } from "vitest";
import { expectLinear } from "../../../scripts/test-support/growth.ts";
import { parseNotAllowed } from "./closed-list.ts";

const choices = "Allowed choices are list, clear.";

it("parses messages for options and arguments", () => {
  expect(parseNotAllowed(`error: option '-f, --fault <name>' argument 'lost' is invalid. ${choices}`)).toEqual({
    option: "-f, --fault <name>",
    argument: undefined,
    value: "lost",
    choices: ["list", "clear"],
  });
  expect(
    parseNotAllowed(`error: command-argument value 'lost' is invalid for argument 'fault'. ${choices}`),
  ).toMatchObject({ option: undefined, argument: "fault", value: "lost" });
});

it.each(["", "a\nb", "' is invalid", "' is invalid for argument 'x'. Allowed choices are y.", "it's"])(
  "parses a message with the value %j",
  (value) => {
    const message = `error: command-argument value '${value}' is invalid for argument 'fault'. ${choices}`;
    expect(parseNotAllowed(message)).toMatchObject({ value, argument: "fault", choices: ["list", "clear"] });
  },
);

it("returns undefined for other messages", () => {
  for (const message of ["", "error: unknown option '--x'", `error: option '--x' argument 'y' is wrong. ${choices}`]) {
    expect(parseNotAllowed(message)).toBeUndefined();
  }
});

it.each(["'", "' is invalid", "' is invalid for argument 'a'. Allowed choices are "])(
  "parses a message with many repetitions of %j in linear time",
  (part) => {
    const message = (size: number) => `error: command-argument value '${part.repeat(size)}`;
    expectLinear(parseNotAllowed, message, { from: 8, to: 100_000 });
  },
);
