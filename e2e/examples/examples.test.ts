// The examples, and the own tests and simulations of one; examples.full.test.ts runs those of all.
import { testExamples } from "./examples.ts";

testExamples(["game"]);
