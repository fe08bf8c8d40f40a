// A sample of the combinations of flags; matrix.full.test.ts has all of them.
import { sample } from "./combinations.ts";
import { testCombinations } from "./matrix.ts";

testCombinations(sample);
