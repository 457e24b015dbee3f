/** Calls for work after a pause of `restMs`, and every `longestMs` while there is none. */
export function paced(work: () => void, restMs: number, longestMs: number) {
  let rest: ReturnType<typeof setTimeout>
  let longest: typeof rest | undefined
  const stop = () => {
    clearTimeout(rest)
    clearTimeout(longest)
    longest = undefined
  }
  const beat = () => {
    clearTimeout(rest)
    rest = setTimeout(work, restMs)
    longest ??= setTimeout(work, longestMs)
  }
  return { beat, stop }
}
