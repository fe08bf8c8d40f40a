// Tests every combination of the main flags.
import { combinations } from "./combinations.ts";
import { testUndoing } from "./undo.ts";

testUndoing(combinations);
