// Preloaded module that shifts the wall clock by the milliseconds in WALL_CLOCK_AHEAD, and by those that the parent sends.
// Monotonic time and timers are unaffected.
const now = Date.now;
let offset = Number(process.env.WALL_CLOCK_AHEAD ?? 0);

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now() + offset], newTarget) as object,
  apply: () => new Date().toString(),
  get: (target, name, receiver) =>
    name === "now" ? () => now() + offset : (Reflect.get(target, name, receiver) as unknown),
});

process.on("message", (message: { jump?: number }) => {
  offset += message.jump ?? 0;
});
// Exits together with its parent. The channel itself doesn't keep the process running.
process.on("disconnect", () => process.exit(1));
process.channel?.unref();
