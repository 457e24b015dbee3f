import type { IncomingMessage } from 'node:http'
import type { Coding } from '../content-coding.ts'

/** The coding that a request prefers for its response. The header is parsed once. */
export function codingOf(request: IncomingMessage, prefer: (header: string) => Coding = preferredCoding): Coding {
  request.coding ??= prefer(request.headers['accept-encoding'] ?? '')
  return request.coding
}

/**
 * The coding with the highest weight in an Accept-Encoding header (RFC 9110 §12.5.3). Of equal weights, br wins over gzip, and gzip over
 * identity. A header without a supported coding means identity, even if it excludes identity, as §12.1 allows.
 */
export function preferredCoding(header: string): Coding {
  const weights = weightsIn(header)
  let best: Coding = 'identity'
  let highest = weights.get('identity') ?? 0
  for (const coding of ['gzip', 'br'] as const) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight === 0 || weight < highest) continue
    best = coding
    highest = weight
  }
  return best
}

/** The weights of the codings in thousandths, by name. Malformed elements are ignored; the first element for a coding counts. */
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
