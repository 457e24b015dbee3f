/** Secrets by name, and where they were found though they should not be. */
export class Canaries {
  readonly #byName = new Map<string, string>()
  readonly #ended = new Set<string>()
  readonly hits: string[] = []

  add(name: string, secret: string): string {
    this.#byName.set(name, secret)
    return secret
  }

  get all(): readonly (readonly [string, string])[] {
    return [...this.#byName]
  }

  /** Looks for every secret in a text or in bytes, except those that this place may show. */
  look(place: string, content: string | Buffer, ...allowed: readonly string[]): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    for (const [name, secret] of this.#byName) {
      const found = !allowed.includes(secret) && formsOf(secret).some((form) => bytes.includes(form))
      if (!found || this.#ended.has(`${place} ${name}`)) continue
      this.#ended.add(`${place} ${name}`)
      this.hits.push(`${name} in ${place}`)
    }
  }
}

/** As it is sent, in base64, and the bytes that a webhook secret stands for. */
function formsOf(secret: string): readonly Buffer[] {
  const key = /^whsec_(.+)$/.exec(secret)?.[1]
  // Its first and last characters depend on what stands around it.
  const base64 = Buffer.from(secret).toString('base64').slice(0, -4)
  return [Buffer.from(secret), Buffer.from(base64), ...(key ? [Buffer.from(key), Buffer.from(key, 'base64')] : [])]
}
