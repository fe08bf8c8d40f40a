// Checks the golden projects, and runs the own tests of two. golden.full.test.ts runs those of all.
import { testGoldens } from "./goldens.ts";

testGoldens(["game", "webhooks"]);
