import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { ApiError } from "../errors/api-error.ts";
import { TransportError } from "../errors/transport-error.ts";
import { ConnectionGate } from "./connection-gate.ts";

function setUp(answer: (signal: AbortSignal) => Promise<unknown>) {
  const clock = new VirtualClock();
  const probes: number[] = [];
  const gate = new ConnectionGate({
    clock,
    probe: (signal) => {
      probes.push(clock.now());
      return answer(signal);
    },
  });
  let open = false;
  void gate.wait(new AbortController().signal).then(() => {
    open = true;
  });
  return { clock, gate, probes, isOpen: () => open };
}

describe("connection gate", () => {
  it("stays closed while a server accepts connections without answering, and opens after the first answer", async () => {
    let isSilent = true;
    const { clock, gate, probes, isOpen } = setUp((signal) =>
      isSilent
        ? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
        : Promise.resolve(),
    );
    await clock.advance(20_000);
    expect(isOpen()).toBe(false);
    expect(probes).toEqual([0, 5000, 10_000, 15_000, 20_000]);
    expect(gate.sinceReopened).toBe(Number.POSITIVE_INFINITY);
    isSilent = false;
    await clock.advance(5000);
    expect(isOpen()).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["a rejected request", ApiError.forbidden("", "", "no rights")],
    ["an answer that isn't valid JSON", new TransportError("EBADANSWER", "a login page")],
    ["a credential plugin that fails", new Error("the plugin failed")],
  ])("opens for %s, and waiting callers get the result of their own request", async (_, error) => {
    const { clock, probes, isOpen } = setUp(() => Promise.reject(error));
    await clock.advance(0);
    expect(isOpen()).toBe(true);
    expect(probes).toHaveLength(1);
  });
});
