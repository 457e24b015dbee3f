/** Totals of lists as they were at a revision. Counting a hundred thousand rows takes milliseconds, and every page of a list asks for the same total. */
export class TotalCache {
  readonly #totals = new Map<string, { readonly revision: number; readonly total: number }>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  find(key: string, revision: number): number | undefined {
    const known = this.#totals.get(key)
    return known?.revision === revision ? known.total : undefined
  }

  keep(key: string, revision: number, total: number): void {
    if (this.#totals.size >= this.#most) this.#totals.clear()
    this.#totals.set(key, { revision, total })
  }
}
