import type { ApiObject } from "../../registry/resource.ts";

/** Sets the defaults of an object. */
export type Defaulter = (object: ApiObject) => void;

const defaulters: Readonly<Record<string, Defaulter>> = {};

/** @returns the function that sets the defaults of a kind; undefined for kinds without any */
export function defaultsOf(group: string, version: string, kind: string): Defaulter | undefined {
  return defaulters[`${group}/${version}/${kind}`];
}
