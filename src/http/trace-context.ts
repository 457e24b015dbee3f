const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const nothing = /^0+$/

/** The trace that a `traceparent` header (W3C Trace Context, level 1, §3.2) says the request is a part of; none where it is not valid. */
export function traceIdOf(traceparent: unknown): string | undefined {
  const parts = typeof traceparent === 'string' ? form.exec(traceparent) : null
  if (!parts) return undefined
  const [, version = '', traceId = '', parentId = '', more] = parts
  // Version 00 ends with the flags; later ones may go on; ff is none.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return nothing.test(traceId) || nothing.test(parentId) ? undefined : traceId
}
