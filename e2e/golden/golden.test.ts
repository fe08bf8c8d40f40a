// Checks the golden projects, and runs the own tests of one. golden.full.test.ts runs those of all.
import { testGoldens } from "./goldens.ts";

testGoldens(["webhooks"]);
