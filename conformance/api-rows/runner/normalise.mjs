// Replaces all that may differ between two correct servers, or between two runs, with stable names. README.md has the rules.
import { createHash } from "node:crypto";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const TIME = /(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(\.\d+)?( ?(?:Z|[+-]\d\d:?\d\d))/g;
const LONGTIME =
  /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d ([+-]\d{4}|GMT|UTC)/g;
const JWT = /eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/g;
const DAY = 86_400_000;
/** The age of everything that is older than the longest duration of Go, on all dates. */
const LONGEST_AGE = "292y";

export function normalise({ results, broken = undefined }, { vars, target, prefixes = [], steps }) {
  let text = JSON.stringify(results, sortKeys).replace(JWT, (_, payload) =>
    JSON.stringify(`<jwt ${jwt(payload)}>`).slice(1, -1),
  );
  for (const [hash, name] of storageHashes(vars.group)) text = text.replaceAll(hash, name);
  const replace = (from, to) => {
    if (from) text = text.replaceAll(JSON.stringify(from).slice(1, -1), to);
  };
  replace(target.hooks.url, "<hooks>");
  replace(target.hooks.url.replace("https://", ""), "<hooks-host>");
  replace(vars.ca, "<ca>");
  replace(target.url.replace(/^https?:\/\//, ""), "<server>");
  text = text.replaceAll("http://<server>", "https://<server>");
  replace(vars.id, "<id>");
  replace(vars.id[0].toUpperCase() + vars.id.slice(1), "<Id>");
  text = text.replace(/("serverAddress":")[^"]*:\d+"/g, '$1<server>"');
  // A list as YAML has a resource version of its own, which isn't that of an object.
  text = text.replace(
    /"(apiVersion: [^"\\]*\\n(?:[^"\\]|\\.)*?\\nkind: \w+List\\nmetadata:(?:\\n {2}\w+: (?:[^"\\]|\\"[^"\\]*\\")*?)*?\\n {2}resourceVersion: \\")\d+/g,
    '"$1<list-rv>',
  );
  const data = JSON.parse(text);

  // The values that get names
  const uids = new Map(),
    versions = new Set(),
    names = new Map(),
    ips = new Map(),
    ports = new Map(),
    lists = [];
  const now = Date.now();
  // A time that a step sends stays as it is, also if the row runs near that date.
  const sent = JSON.stringify(steps);
  collect(data, undefined);
  const rank = new Map([...versions].sort((a, b) => (a < b ? -1 : 1)).map((v, i) => [String(v), `<rv${i + 1}>`]));
  const generated = [...names].sort((a, b) => b[0].length - a[0].length);
  return { results: fix(data), ...(broken && { broken: string(broken) }) };

  function collect(value, _parent, _key) {
    if (typeof value === "string") {
      for (const m of value.matchAll(UUID)) if (!uids.has(m[0])) uids.set(m[0], `<uid${uids.size + 1}>`);
      for (const m of value.matchAll(/resourceVersion"?: "(\d+)"/g)) versions.add(BigInt(m[1]));
      for (const m of value.matchAll(/\b10\.0\.0\.(\d{1,3})\b/g))
        if (Number(m[1]) > 16 && !ips.has(m[0])) ips.set(m[0], `<ip${ips.size + 1}>`);
      for (const m of value.matchAll(/:(3[0-2]\d{3})\/(?=TCP|UDP)/g))
        if (!ports.has(m[1]) && Number(m[1]) > 30085) ports.set(m[1], `<nodeport${ports.size + 1}>`);
    } else if (Array.isArray(value)) for (const v of value) collect(v, value);
    else if (value && typeof value === "object") {
      if (value.kind === "Status" && typeof value.details?.name === "string") {
        const p = prefixes.find((x) => value.details.name.length === x.length + 5 && value.details.name.startsWith(x));
        if (p) names.set(value.details.name, `${p}<gen>`);
      }
      if (
        typeof value.generateName === "string" &&
        typeof value.name === "string" &&
        value.name.startsWith(value.generateName) &&
        value.name !== value.generateName
      ) {
        const suffix = value.name.slice(value.generateName.length);
        names.set(
          value.name,
          `${value.generateName}<gen${/^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(suffix) ? "" : `:${suffix}`}>`,
        );
      }
      if (
        value.metadata &&
        typeof value.metadata === "object" &&
        typeof value.metadata.resourceVersion === "string" &&
        /^\d+$/.test(value.metadata.resourceVersion) &&
        !isList(value) &&
        value.__bookmark !== true
      )
        versions.add(BigInt(value.metadata.resourceVersion));
      if (/^\d+$/.test(value["metadata.resourceVersion"] ?? ""))
        versions.add(BigInt(value["metadata.resourceVersion"]));
      for (const [k, v] of Object.entries(value)) {
        if (
          (k === "nodePort" || k === "healthCheckNodePort") &&
          typeof v === "number" &&
          v > 30085 &&
          !ports.has(String(v))
        )
          ports.set(String(v), `<nodeport${ports.size + 1}>`);
        if (k === "object" && value.type === "BOOKMARK") {
          if (v?.metadata?.resourceVersion) lists.push(v.metadata.resourceVersion);
          if (v?.metadata) {
            const { resourceVersion, ...rest } = v.metadata;
            collect({ ...v, metadata: rest }, value, k);
          }
          continue;
        }
        collect(v, value, k);
      }
    }
  }
  function fix(value, key, _parent) {
    if (typeof value === "string") return string(value);
    if (Array.isArray(value)) {
      let out = value.map((v) => fix(v, key, value));
      if (key === "managedFields" || key === "metadata.managedFields")
        out = out.sort((a, b) =>
          cmp(
            `${a.operation}|${a.manager}|${a.subresource ?? ""}|${a.apiVersion}`,
            `${b.operation}|${b.manager}|${b.subresource ?? ""}|${b.apiVersion}`,
          ),
        );
      if (key === "resourceRules" || key === "nonResourceRules")
        out = out.sort((a, b) => cmp(JSON.stringify(a), JSON.stringify(b)));
      if (key === "causes")
        out = out.sort((a, b) => cmp(`${a.field}|${a.reason}|${a.message}`, `${b.field}|${b.reason}|${b.message}`));
      if (/(^|\.)cells$/.test(key ?? ""))
        out = out.map((c) => (typeof c === "string" && c !== LONGEST_AGE && /^(\d+[smhdy])+$/.test(c) ? "<age>" : c));
      return out;
    }
    if (value && typeof value === "object") {
      const out = {};
      const list = isList(value);
      for (const [k, v] of Object.entries(value)) {
        if ((k === "nodePort" || k === "healthCheckNodePort") && ports.has(String(v))) out[k] = ports.get(String(v));
        else if (k === "metadata" && list && v && typeof v === "object") {
          out[k] = fix(v, k, value);
          if (/^\d+$/.test(v.resourceVersion ?? "")) out[k].resourceVersion = listVersion(value, v.resourceVersion);
          if (typeof v.continue === "string" && v.continue) out[k].continue = "<continue>";
        } else if (k === "object" && value.type === "BOOKMARK" && v?.metadata) {
          out[k] = fix(v, k, value);
          out[k].metadata.resourceVersion = /^\d+$/.test(v.metadata.resourceVersion ?? "")
            ? "<bookmark-rv>"
            : v.metadata.resourceVersion;
        } else if (k === "message" && typeof v === "string" && value.details?.causes?.length > 1)
          out[k] = string(sortErrors(v));
        else if (k === "calls" && Array.isArray(v)) out[k] = fix(v, k, value);
        else out[string(k)] = fix(v, k, value);
      }
      if (out.groups && /APIGroupList/.test(value.kind ?? "")) out.groups = out.groups.filter(own);
      if (out.items && /APIGroupDiscoveryList/.test(value.kind ?? ""))
        out.items = out.items.filter((x) => own({ name: x.metadata?.name ?? "" }));
      if (Array.isArray(value.paths) && typeof value.paths[0] === "string")
        out.paths = out.paths.filter((p) => own({ name: p.split("/")[2] ?? "" }));
      return out;
    }
    return value;
  }
  function own(group) {
    return !/^x[0-9a-f]{9}\.example\.com$/.test(group.name);
  }
  function listVersion(list, version) {
    const inside = (list.items ?? list.rows ?? [])
      .map((x) => (x.object ?? x)?.metadata?.resourceVersion)
      .filter((v) => /^\d+$/.test(v ?? ""))
      .map(BigInt);
    return inside.some((v) => v > BigInt(version)) ? "<list-rv older than its items>" : "<list-rv>";
  }
  function string(s) {
    if (s === undefined) return s;
    if (s.length > 1_000_000) s = `${s.slice(0, 200)}… ${s.length} characters`;
    s = s.replace(/x{200,}/g, (m) => `<x:${m.length}>`);
    s = s.replace(UUID, (m) => uids.get(m) ?? "<uid>");
    s = s.replace(TIME, (all, base, fraction, zone) => {
      const t = Date.parse(`${base.replace(" ", "T")}Z`);
      return Math.abs(t - now) < 3 * DAY && !sent.includes(base)
        ? `<time${fraction ? `.${base.includes(" ") ? "n" : fraction.length - 1}` : ""}${zone === "Z" || base.includes(" ") ? "" : zone}>`
        : all;
    });
    s = s.replace(LONGTIME, (all) => (Math.abs(Date.parse(all) - now) < 3 * DAY ? "<longtime>" : all));
    for (const [name, to] of generated) if (s.includes(name)) s = s.replaceAll(name, to);
    s = s.replace(/\b10\.0\.0\.(\d{1,3})\b/g, (m) => ips.get(m) ?? m);
    s = s.replace(/:(3[0-2]\d{3})\/(?=TCP|UDP)/g, (m, p) => (ports.has(p) ? `:${ports.get(p)}/` : m));
    s = s.replace(/(resource ?versions?"?[^0-9\n]{0,45}?)(\d{2,})\b/gi, (all, before, n) =>
      rank.has(n) ? before + rank.get(n) : /Too large|too old/i.test(before) ? all : `${before}<rv?>`,
    );
    s = s
      .replace(/(Too large resource version: )(?:\d+|<rv\?>)(, current: )\d+/g, "$1<asked>$2<rv?>")
      .replace(/too old resource version: (\d+) \(\d+\)/g, "too old resource version: $1 (<rv?>)");
    if (rank.has(s)) s = rank.get(s);
    s = s.replace(/selfType\d+/g, "selfType<n>");
    // Two default bindings grant the same permission. The authorizer reports either of them.
    if (s.startsWith("RBAC: allowed by ClusterRoleBinding"))
      s = s.replace(/system:(public-info-viewer|discovery)/g, "system:<discovery or public-info-viewer>");
    s = s
      .replace(/127\.0\.0\.1:\d{4,5}->127\.0\.0\.1:\d{4,5}/g, "<connection>")
      .replace(/(dial tcp |read tcp |https?:\/\/)127\.0\.0\.1:(\d{4,5})/g, (all, a, p) =>
        Number(p) < 10 ? all : `${a}<addr>`,
      );
    s = s.replace(/("(?:gitCommit|gitTreeState|buildDate|goVersion)": ")[^"\n]*"/g, '$1<build>"');
    s = s.replace(/^([IWEF])\d{4} [\d:.]+ +\d+ /gm, "$1<klog> ");
    if (s.includes("\n")) s = lines(s);
    return s;
  }
  function lines(s) {
    // Output of kubectl has columns and ages.
    return s
      .replace(/(?<=\s)(?!292y\b)(\d+(?:ms|[smhdy])){1,2}(?=\s|\)|$)/g, "<age>")
      .replace(/(?<=\S)[ \t]{2,}(?=\S)/g, "  ")
      .replace(/\/tmp\/(LIVE|MERGED)-\d+/g, "<tmp>/$1")
      .replace(/kubectl-edit-\d+/g, "kubectl-edit-N")
      .replace(/(LIVE|MERGED)-\d+/g, "$1-N")
      .replace(/[ \t]+$/gm, "");
  }
}

/** Returns the storageVersionHash, which depends on group, version and kind, because each scenario has its own group. */
function storageHashes(group) {
  const out = [];
  for (const version of ["v1", "v2", "v3", "v10", "v1alpha1", "v2beta1"])
    for (const kind of ["Widget", "Gadget"])
      out.push([
        createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64"),
        `<hash of ${version} ${kind}>`,
      ]);
  return out;
}
const cmp = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const isList = (o) =>
  Array.isArray(o.items) ||
  Array.isArray(o.rows) ||
  (typeof o.kind === "string" && /(List|Table)$/.test(o.kind) && !o.metadata?.name) ||
  o.items === null;
function sortKeys(_key, value) {
  return value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((k) => [k, value[k]]),
      )
    : value;
}
function jwt(payload) {
  try {
    const c = JSON.parse(Buffer.from(payload, "base64url").toString());
    if (c.exp && c.iat) c.lifetime = c.exp - c.iat;
    for (const k of ["exp", "iat", "nbf"]) if (k in c) c[k] = "<seconds>";
    const inner = c["kubernetes.io"];
    if (inner?.warnafter) inner.warnafter = "<seconds>";
    return JSON.stringify(c, sortKeys);
  } catch {
    return "unreadable";
  }
}
/** Sorts the errors in "X is invalid: [b, a]", because some of them are in the random order of a Go map. */
function sortErrors(message) {
  const m = message.match(/^([\s\S]*?: )\[([\s\S]*)\]$/);
  if (!m) return message;
  const parts = m[2].split(
    /, (?=(?:[\w.<>$/ -]|\[[^\]]*\])*: (?:Invalid value|Required value|Duplicate value|Unsupported value|Forbidden|Too long|Too many|Not found|Internal error|Too few)|<nil>: )/,
  );
  return `${m[1]}[${parts.sort().join(", ")}]`;
}
