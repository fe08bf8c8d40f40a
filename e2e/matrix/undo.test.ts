// Tests some of the sampled combinations of flags; undo.full.test.ts tests all combinations.
import { sample } from "./combinations.ts";
import { testUndoing } from "./undo.ts";

const undone = ["certificates that the manager makes"];
testUndoing(sample.filter(({ name }) => undone.includes(name)));
