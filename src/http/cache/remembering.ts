/** Clients send few different headers again and again; whoever sends others all the time costs no more memory than this. */
const mostRemembered = 200
const longestRemembered = 200

/** The same function of a header, which remembers what it said of those that it was last asked about. */
export function remembering<T>(say: (header: string) => T): (header: string) => T {
  const said = new Map<string, T>()
  return (header) => {
    const known = said.get(header)
    if (known !== undefined) return known
    const answer = say(header)
    if (said.size >= mostRemembered) said.clear()
    if (header.length <= longestRemembered) said.set(header, answer)
    return answer
  }
}
