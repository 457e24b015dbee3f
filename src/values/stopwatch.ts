/** Starts a stopwatch. The function returned gives the milliseconds since. For the time of day use `context.now`. */
export function startStopwatch(): () => number {
  const started = process.hrtime.bigint()
  return () => Number(process.hrtime.bigint() - started) / 1_000_000
}
