// Checks the golden projects. Full runs also run the tests and simulations of all of them.
import { variants } from "../../scripts/test-support/thorough.ts";
import { goldenNames, testGoldens } from "./goldens.ts";

testGoldens(variants(goldenNames, 0));
