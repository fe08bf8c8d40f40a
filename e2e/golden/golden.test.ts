// Checks the golden projects. golden.full.test.ts runs their own tests, too.
import { testGoldens } from "./goldens.ts";

testGoldens([]);
