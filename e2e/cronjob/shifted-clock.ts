import { readFileSync } from "node:fs";
import { type Clock, systemClock } from "@kubewright/runtime";

/** The machine's clock plus the milliseconds in a file, which the test changes while the operator runs. */
export const shiftedClock: Clock = {
  ...systemClock,
  date: () => new Date(Date.now() + Number(readFileSync(process.env.CLOCK_SHIFT_FILE ?? "", "utf8"))),
};
