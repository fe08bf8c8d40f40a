import { expect, it } from "vitest";
import { Actor } from "../schedule/actor.ts";
import { Sightings } from "./sightings.ts";

const [first, second] = [new Actor("first"), new Actor("second")];

function isOutdated(sightings: Sightings, ...read: Parameters<Sightings["read"]>): boolean {
  let outdated = false;
  sightings.onOutdated(() => {
    outdated = true;
  });
  sightings.read(...read);
  return outdated;
}

it("Sightings reports a process that reads an older state than another one has read", () => {
  const sightings = new Sightings();
  expect(isOutdated(sightings, first, "a", 5)).toBe(false);
  expect(isOutdated(sightings, second, "a", 4)).toBe(true);
  expect(isOutdated(sightings, second, "a", 5)).toBe(false);
  expect(isOutdated(sightings, second, "b", 1)).toBe(false);
});

it("Sightings allows a process to read an older state from its cache than from the server", () => {
  const sightings = new Sightings();
  expect(isOutdated(sightings, first, "a", 5)).toBe(false);
  expect(isOutdated(sightings, first, "a", 4)).toBe(false);
  expect(isOutdated(sightings, second, "a", 4)).toBe(true);
});
