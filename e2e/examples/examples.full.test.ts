// The examples, and the own tests and simulations of all of them.
import { examples, testExamples } from "./examples.ts";

testExamples(Object.keys(examples));
