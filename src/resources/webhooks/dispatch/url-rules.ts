import { isIP } from 'node:net'
import { parseUrl } from '../../../values/parse-url.ts'
import type { Fault } from '../../../values/problems.ts'
import type { AddressGuard } from './address-guard.ts'

/** The host of a URL as it is resolved: an IPv6 address without brackets, a name without a trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** The faults of a URL that can be found without resolving its host. Addresses are checked before every request. */
export function targetFaults(text: string, guard: AddressGuard): readonly Fault[] {
  const url = parseUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return [fault('invalid_format', 'The URL must be an absolute http or https URL.')]
  const host = hostOf(url)
  return [
    ...(url.username !== '' || url.password !== '' ? [fault('not_allowed', 'The URL must not hold a user or a password.')] : []),
    ...(isIP(host) !== 0 && !guard.allows(host, host) ? [fault('not_allowed', privateAddress)] : []),
    ...(/(^|\.)localhost$/i.test(host) && !guard.allows(host, '127.0.0.1') ? [fault('not_allowed', privateAddress)] : []),
  ]
}

/** Contains no address, so that nobody can find out what a name resolves to by configuring webhooks. */
export const privateAddress =
  'The host is in a private or reserved network; VERSO_WEBHOOK_ALLOW names the ones to which webhooks may go nevertheless.'

function fault(code: string, detail: string): Fault {
  return { pointer: '/url', code, detail }
}
