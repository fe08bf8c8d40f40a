import { describe, expect, it } from "vitest";
import { Schedule } from "./schedule.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);

describe("Schedule", () => {
  const schedule = new Schedule("*/5 * * * *");

  it("finds the next run after a time, excluding this time", () => {
    expect(schedule.next(at("00:04:59.999"))).toEqual(at("00:05:00"));
    expect(schedule.next(at("00:05:00"))).toEqual(at("00:10:00"));
  });

  it("finds the latest run until a time, including this time", () => {
    expect(schedule.latest(at("00:04:59.999"))).toEqual(at("00:00:00"));
    expect(schedule.latest(at("00:05:00"))).toEqual(at("00:05:00"));
    expect(schedule.latest(at("00:05:00.500"))).toEqual(at("00:05:00"));
  });

  it("uses UTC in any time zone", () => {
    expect(new Schedule("30 4 * * *").next(at("00:00:00"))).toEqual(at("04:30:00"));
  });

  it("accepts names of days and months", () => {
    expect(new Schedule("0 0 * JAN MON-FRI").next(at("00:00:00"))).toEqual(new Date("2026-01-02T00:00:00Z"));
  });

  it.each(["", "hourly", "@hourly", "* * * *", "0 * * * * *", "2026-01-01T00:00:00Z"])(
    "accepts only five fields, not %j",
    (text) => expect(() => new Schedule(text)).toThrow("five fields"),
  );

  it.each(["60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "a * * * *", "*/0 * * * *"])(
    "rejects %j",
    (text) => expect(() => new Schedule(text)).toThrow(/^(Invalid|Syntax error|configuration entry)/),
  );

  it("rejects a schedule that is never due", () => {
    expect(() => new Schedule("0 0 30 2 *")).toThrow("no such day");
  });
});
