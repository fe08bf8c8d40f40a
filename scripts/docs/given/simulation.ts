// The imports of simulations.
export { always, eventually, simulate } from "@kubewright/runtime/simulation";
export { it } from "vitest";
