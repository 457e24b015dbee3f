import { Problem } from './problems.ts'

/** The versions that `If-Match` allows; `any` where it was not sent or is `*`. */
export type VersionCheck = 'any' | readonly number[]

/** 412 `stale_version` with the present version, unless it is one of those expected. */
export function requireVersion(what: string, version: number, expected: VersionCheck): void {
  if (expected === 'any' || expected.includes(version)) return
  throw new Problem('stale_version', `The ${what} is at version ${version} by now; read it again and decide anew.`, {
    members: { version },
  })
}
