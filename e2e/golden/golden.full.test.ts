// Checks the golden projects, and runs the own tests of all of them.
import { goldenNames, testGoldens } from "./goldens.ts";

testGoldens(goldenNames);
