// Tests a sample of the combinations of flags; matrix.full.test.ts tests all of them.
import { variants } from "../../scripts/test-support/thorough.ts";
import { sample } from "./combinations.ts";
import { testCombinations } from "./matrix.ts";

testCombinations(variants(sample, 1));
