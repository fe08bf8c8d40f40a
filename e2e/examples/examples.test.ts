// The examples. Full runs also run their own tests and simulations.
import { variants } from "../../scripts/test-support/thorough.ts";
import { examples, testExamples } from "./examples.ts";

testExamples(variants(Object.keys(examples), 0));
