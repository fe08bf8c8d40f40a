/** The chart's directory in a project. */
export const chartDirectory = "chart";

/** Whether a project path is in the chart, which `edit --helm` renders from config/. */
export function isInChart(path: string): boolean {
  return path.startsWith(`${chartDirectory}/`);
}
