import { children } from "./children.ts";
import { data } from "./data.ts";
import type { Pair } from "./lib.ts";
import { rollouts } from "./rollouts.ts";
import { takeovers } from "./takeovers.ts";

/** All upgrades with a known defect. */
export const pairs: readonly Pair[] = [...rollouts, ...children, ...data, ...takeovers];
