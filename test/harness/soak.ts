/** The share of their full size that soaks run at: a twentieth in `npm test`, all of it in `npm run soak`. `VERSO_TEST_SCALE` sets another. */
const scale = Number(process.env.VERSO_TEST_SCALE)

/** A full size at that scale, rounded up to a multiple. */
export function soakSize(full: number, multiple = 1): number {
  return Math.max(1, Math.ceil((full * scale) / multiple)) * multiple
}

/** Only one item in so many is checked, at that scale: at least a tenth. */
export const soakStride = Math.min(10, Math.max(1, Math.round(1 / scale)))

export const countText = (count: number) => count.toLocaleString('en')
