/** Compares two normalised transcripts -> { verdict: "same" | "message only" | "different", differences: [{ step, path, a, b }] } */
export function compare(a, b) {
  const differences = [];
  if (a.broken || b.broken)
    if (a.broken !== b.broken) differences.push({ step: -1, path: "broken", a: a.broken, b: b.broken });
  const n = Math.max(a.results.length, b.results.length);
  for (let i = 0; i < n; i++) walk(a.results[i], b.results[i], "", i);
  const verdict =
    differences.length === 0 ? "same" : differences.every((d) => d.message) ? "message only" : "different";
  return { verdict, differences };

  function walk(x, y, path, step) {
    if (x === y) return;
    if ((x === null && y === undefined) || (y === null && x === undefined)) return;
    if (Array.isArray(x) && Array.isArray(y)) {
      for (let i = 0; i < Math.max(x.length, y.length); i++) walk(x[i], y[i], `${path}[${i}]`, step);
      return;
    }
    if (x && y && typeof x === "object" && typeof y === "object" && !Array.isArray(x) && !Array.isArray(y)) {
      for (const k of new Set([...Object.keys(x), ...Object.keys(y)]))
        walk(x[k], y[k], path ? `${path}.${k}` : k, step);
      return;
    }
    differences.push({
      step,
      path,
      a: x,
      b: y,
      message:
        typeof x === "string" && typeof y === "string" && /(^|\.)(message|stderr|warnings\[\d+\])$|^body$/.test(path),
    });
  }
}

const short = (v, max = 300) => {
  const s = v === undefined ? "(absent)" : typeof v === "string" ? JSON.stringify(v) : JSON.stringify(v);
  return s.length > max ? `${s.slice(0, max)}…` : s;
};
export function describeStep(step) {
  if (!step) return "";
  if (step.kubectl !== undefined)
    return `kubectl ${Array.isArray(step.kubectl) ? step.kubectl.join(" ") : step.kubectl}`;
  if (step.watchEnd) return `events of watch ${step.watchEnd}`;
  if (step.watch) return `watch ${step.path} ${JSON.stringify(step.query ?? {})}`;
  if (step.hookCalls) return `calls of webhook ${step.hookCalls}`;
  if (step.method)
    return `${step.method} ${step.path}${
      step.query && Object.keys(step.query).length
        ? `?${Object.entries(step.query)
            .map(([k, v]) => `${k}=${v}`)
            .join("&")}`
        : ""
    }${step.headers?.["content-type"] ? ` (${step.headers["content-type"].replace(/^application\//, "")})` : ""}${step.body ? ` ${short(step.body, 200)}` : ""}`;
  return JSON.stringify(step);
}
export function report(scenario, { verdict, differences }, { names = ["real", "engine"], max = 12 } = {}) {
  const out = [`${verdict.toUpperCase()}  ${scenario.name}`];
  let last;
  const width = Math.max(...names.map((n) => n.length)) + 1;
  for (const d of differences.slice(0, max)) {
    if (d.step !== last) out.push(`  step ${d.step + 1}: ${describeStep(scenario.steps[d.step])}`);
    last = d.step;
    if (typeof d.a === "string" && typeof d.b === "string" && (d.a.includes("\n") || d.b.includes("\n"))) {
      out.push(`    ${d.path}:`, ...lineDiff(d.a, d.b, names).map((l) => `      ${l}`));
    } else
      out.push(
        `    ${d.path || "(answer)"}`,
        `      ${`${names[0]}:`.padEnd(width)} ${short(d.a, 600)}`,
        `      ${`${names[1]}:`.padEnd(width)} ${short(d.b, 600)}`,
      );
  }
  if (differences.length > max) out.push(`    … ${differences.length - max} more`);
  return out.join("\n");
}
function lineDiff(a, b, names) {
  const x = a.split("\n"),
    y = b.split("\n"),
    out = [];
  for (let i = 0; i < Math.max(x.length, y.length) && out.length < 12; i++)
    if (x[i] !== y[i])
      out.push(`line ${i + 1}`, `  ${names[0]}: ${x[i] ?? "(absent)"}`, `  ${names[1]}: ${y[i] ?? "(absent)"}`);
  return out;
}
