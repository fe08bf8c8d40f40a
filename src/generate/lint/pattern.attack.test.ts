import { describe, expect, it } from "vitest";
import { mostProcessorTime, processorTime } from "../../../scripts/test-support/processor-time.ts";
import { lintField } from "./test-support.ts";

const text = "a".repeat(40);

describe("patterns with exponential backtracking", () => {
  it.for(["^(a+)+b$", "^(a|a)*b$", "^(a|aa)+b$", "^((a*)*)*b$", "^(.*a){20}b$"])(
    "are matched in bounded time: %s",
    async (pattern, { task }) => {
      Object.assign(task.meta, { attempts: 2 });
      const used = processorTime();
      const [limit, value] = [`kubebuilder:validation:Pattern=\`${pattern}\``, `="${text}!"`];
      expect(await lintField("string", limit, `kubebuilder:default${value}`)).toEqual(["default-mismatch"]);
      expect(await lintField("string", limit, `kubebuilder:example${value}`)).toEqual(["example-mismatch"]);
      expect(used()).toBeLessThan(mostProcessorTime);
    },
  );

  it("are compiled in bounded time, or rejected", async () => {
    const used = processorTime();
    expect(await lintField("string", `kubebuilder:validation:Pattern=\`${"(a{1000})".repeat(1000)}\``)).toEqual([]);
    expect(await lintField("string", "kubebuilder:validation:Pattern=`((a{100}){100}){100}`")).toEqual(["bad-pattern"]);
    expect(used()).toBeLessThan(mostProcessorTime);
  });
});
