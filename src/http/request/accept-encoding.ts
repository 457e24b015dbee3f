/** The content codings that answers can have (RFC 9110 §8.4.1, RFC 7932); `identity` is none. */
export type Coding = 'br' | 'gzip' | 'identity'

/** What a client wants of an answer: this coding where that is worth it, or this coding whatever the answer is. */
export type Wanted = Coding | 'only br' | 'only gzip'

/** Shorter answers are sent as they are: they fit into one packet or two either way. */
const leastCodedBytes = 1_024

/**
 * The coding that an Accept-Encoding header (RFC 9110 §12.5.3) prefers: the one of the highest weight, the shorter form where weights are
 * equal, no coding where it names none that we have. None at all where it excludes every one.
 */
export function wantedOf(header: string | undefined): Wanted | undefined {
  if (header === undefined) return 'identity'
  const weights = weightsIn(header)
  const others = weights.get('*')
  // Unnamed, no coding is acceptable all the same, but nobody's preference.
  const plain = weights.get('identity') ?? (others === 0 ? 0 : undefined)
  let best: 'br' | 'gzip' | undefined
  let most = plain ?? 0
  for (const coding of ['gzip', 'br'] as const) {
    const weight = weights.get(coding) ?? others ?? 0
    if (weight === 0 || weight < most) continue
    best = coding
    most = weight
  }
  if (best === undefined) return plain === 0 ? undefined : 'identity'
  return plain === 0 ? `only ${best}` : best
}

/** The coding of an answer of so many bytes. */
export function codingFor(wanted: Wanted, bytes: number): Coding {
  switch (wanted) {
    case 'only br':
      return 'br'
    case 'only gzip':
      return 'gzip'
    default:
      return isWorthCoding(bytes) ? wanted : 'identity'
  }
}

export function isWorthCoding(bytes: number): boolean {
  return bytes >= leastCodedBytes
}

/** The weights of the codings in thousandths, by name. What has not the form of one is passed over; the first word on a coding counts. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(',')) {
    const [, name = '', weight = '1'] =
      /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i.exec(element.trim()) ?? []
    const coding = name.toLowerCase().replace(/^x-gzip$/, 'gzip')
    if (name !== '' && !weights.has(coding)) weights.set(coding, Math.round(Number(weight) * 1_000))
  }
  return weights
}
