// Checks the golden projects. Full runs also run their own tests.
import { variants } from "../../scripts/test-support/thorough.ts";
import { goldenNames, testGoldens } from "./goldens.ts";

testGoldens(variants(goldenNames, 0));
