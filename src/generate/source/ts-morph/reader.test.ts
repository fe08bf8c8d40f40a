import { describeReader } from "../test-support/reader-suite.ts";
import { createTsMorphReader } from "./reader.ts";

describeReader("ts-morph", createTsMorphReader);
