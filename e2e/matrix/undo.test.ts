// A sample of the combinations of flags; undo.full.test.ts has all of them.
import { sample } from "./combinations.ts";
import { testUndoing } from "./undo.ts";

testUndoing(sample);
