// The numbers of the landing page, read while the site is built, so that they are those of the last benchmark.
import { readFileSync } from "node:fs";
import { measurements } from "../../../scripts/docs/reference/benchmark-numbers.ts";

export interface Headline {
  readonly value: string;
  readonly text: string;
  readonly link: string;
}

declare const data: Headline[];

export { data };

export default {
  watch: ["../../../bench/results.md"],
  load(): Headline[] {
    const { modules } = JSON.parse(
      readFileSync(new URL("../../../conformance/crd-parity/modules.json", import.meta.url), "utf8"),
    );
    const percent = (name: RegExp): string => {
      const ratio = measurements().find((each) => name.test(each.name))?.ratio ?? Number.NaN;
      return `${Math.round(ratio * 100)} %`;
    };
    return [
      {
        value: String(modules.length),
        text: "large Go projects whose CRDs come out byte for byte the same",
        link: "/reference/supported-versions",
      },
      {
        value: percent(/^Generate/),
        text: "of controller-gen's CPU time for the CRDs of cert-manager",
        link: "/reference/benchmarks",
      },
      {
        value: percent(/^Start with/),
        text: "of the time of an operator in Go to start with 5,000 objects",
        link: "/reference/benchmarks",
      },
      {
        value: percent(/^Reconciles per/),
        text: "of Go's CPU time per reconcile that finds nothing to change",
        link: "/reference/benchmarks",
      },
      {
        value: percent(/^Peak memory/),
        text: "of Go's memory with 5,000 objects: the cost of Node",
        link: "/reference/benchmarks",
      },
      {
        value: percent(/^Webhook reviews/),
        text: "of Go's CPU time per webhook review: Go is faster here",
        link: "/reference/benchmarks",
      },
    ];
  },
};
