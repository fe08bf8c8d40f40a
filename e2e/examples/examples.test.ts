// The examples, and simulations of two with several kinds of children; examples.full.test.ts simulates all of them.
import { testExamples } from "./examples.ts";

testExamples(["cronjob", "game"]);
