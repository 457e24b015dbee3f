/** Starts to measure; the answer tells the milliseconds since. It is no clock: what time it is, `context.now` says. */
export function startStopwatch(): () => number {
  const started = process.hrtime.bigint()
  return () => Number(process.hrtime.bigint() - started) / 1_000_000
}
