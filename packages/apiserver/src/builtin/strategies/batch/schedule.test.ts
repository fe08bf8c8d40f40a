import { expect, it } from "vitest";
import { scheduleProblem } from "./schedule.ts";

it.each([
  ["@every 1h30m", undefined],
  ["@every .5h", undefined],
  ["@every 0", undefined],
  ["@every 1μs", undefined],
  ["@every ", 'failed to parse duration @every : time: invalid duration ""'],
  ["@every 5", 'failed to parse duration @every 5: time: missing unit in duration "5"'],
  ["@every 1d", 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
  ["@every 2562048h", 'failed to parse duration @every 2562048h: time: invalid duration "2562048h"'],
  ["@never", "unrecognized descriptor: @never"],
])("the schedule %j of a CronJob has the problem %j", (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});
