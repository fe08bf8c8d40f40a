// The examples, and the own tests and simulations of two with several kinds of children; examples.full.test.ts runs those of all.
import { testExamples } from "./examples.ts";

testExamples(["cronjob", "game"]);
