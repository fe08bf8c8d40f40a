import { afterEach, expect, it, vi } from "vitest";
import { clock, preciseClock } from "./clock.ts";

afterEach(() => void vi.unstubAllEnvs());

it("returns the time of day on this computer, as the dashboard does", () => {
  vi.stubEnv("TZ", "Asia/Kolkata");
  expect(clock("2026-11-27T20:48:28Z")).toBe("02:18:28");
  expect(preciseClock("2026-11-27T20:48:28.5Z")).toBe("02:18:28.500");
  expect([clock(""), clock("soon")]).toEqual(["", "soon"]);
});
