export { isRunning, isSameProcess, startOfProcess } from "./process.ts";
