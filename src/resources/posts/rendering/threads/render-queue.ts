/** Work that waits. */
interface Sized {
  /** Roughly how much work it is. */
  readonly size: number
}

/** Some of the work of one request. */
export interface Turn<J> {
  readonly asker: string
  readonly jobs: readonly J[]
}

/** The work of a turn, so that turns are short and messages few. */
const turnSize = 64 * 1024

/** Work of several askers. They take turns, and so do the requests of each, however much work each of them has. */
export class RenderQueue<J extends Sized> {
  /** The requests of each asker, in the order of their turns. */
  readonly #requests = new Map<string, J[][]>()
  #size = 0

  /** The work that waits. */
  get size(): number {
    return this.#size
  }

  /** Adds the work of a request; with `first`, before all other work of the asker. */
  add(asker: string, jobs: readonly J[], { first = false } = {}): void {
    if (jobs.length === 0) return
    const requests = this.#requests.get(asker) ?? []
    if (first) requests.unshift([...jobs])
    else requests.push([...jobs])
    this.#requests.set(asker, requests)
    for (const { size } of jobs) this.#size += size
  }

  /** The next turn of an asker that may have one. */
  take(mayRun: (asker: string) => boolean): Turn<J> | undefined {
    for (const [asker, requests] of this.#requests) {
      if (!mayRun(asker)) continue
      const request = requests.shift() ?? []
      const jobs = cut(request)
      for (const { size } of jobs) this.#size -= size
      if (request.length > 0) requests.push(request)
      this.#requests.delete(asker)
      if (requests.length > 0) this.#requests.set(asker, requests)
      return { asker, jobs }
    }
    return undefined
  }
}

/** Takes the first jobs of a request, one at least. */
function cut<J extends Sized>(request: J[]): readonly J[] {
  let count = 1
  let size = request[0]?.size ?? 0
  for (const job of request.slice(1)) {
    size += job.size
    if (size > turnSize) break
    count += 1
  }
  return request.splice(0, count)
}
