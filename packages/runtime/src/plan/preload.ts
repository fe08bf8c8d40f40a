// Loaded before the operator's code by `scaffold plan`.
import { installPlan } from "./plan.ts";

installPlan();
