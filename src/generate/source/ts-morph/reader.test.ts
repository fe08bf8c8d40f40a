import { describeReader } from "../test-support/reader-suite.ts";
import { createReader } from "./reader.ts";

describeReader("ts-morph", createReader);
