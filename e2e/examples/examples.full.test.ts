// The examples, and simulations of all of them.
import { examples, testExamples } from "./examples.ts";

testExamples(Object.keys(examples));
