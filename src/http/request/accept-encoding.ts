import type { IncomingMessage } from 'node:http'
import type { Coding } from '../content-coding.ts'

/** The coding that a request prefers for its response, read once. */
export function codingOf(request: IncomingMessage, prefer: (header: string) => Coding = preferredCoding): Coding {
  request.coding ??= prefer(request.headers['accept-encoding'] ?? '')
  return request.coding
}

/**
 * The coding that an Accept-Encoding header (RFC 9110 §12.5.3) prefers: the one with the highest weight, br before gzip before none where
 * weights are equal, none where the header names no other that we have. A header that excludes every coding, and none as well, is
 * disregarded, as §12.1 allows.
 */
export function preferredCoding(header: string): Coding {
  const weights = weightsIn(header)
  let best: Coding = 'identity'
  let most = weights.get('identity') ?? 0
  for (const coding of ['gzip', 'br'] as const) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight === 0 || weight < most) continue
    best = coding
    most = weight
  }
  return best
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
