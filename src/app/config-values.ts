import { isIP } from 'node:net'
import { parseUrl } from '../values/parse-url.ts'

/** A setting has an invalid value. The message is one line for the person who set it. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

export function parseWebUrl(name: string, text: string): URL {
  const url = parseUrl(text)
  // The message does not show a password.
  if (url !== undefined && (url.username !== '' || url.password !== '')) throw new ConfigError(`${name} must be without user and password.`)
  // An empty query or fragment is none to `URL`, but stays in its address, to which paths are added.
  if (url === undefined || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) {
    throw new ConfigError(
      `${name} must be an http or https URL without query and fragment, such as https://content.example.com; it is ${text}.`,
    )
  }
  return url
}

/** The message does not show the value: it is a secret. */
export function parseMetricsToken(text: string | undefined): string | undefined {
  if (text === undefined || /^[!-~]{16,256}$/.test(text)) return text
  throw new ConfigError('VERSO_METRICS_TOKEN must be 16 to 256 visible ASCII characters, such as openssl rand -hex 32 prints.')
}

/** One value or several, separated by commas or white space. The message does not show them. */
export function parseSecrets(name: string, text = ''): readonly string[] {
  const secrets = text.split(/[\s,]+/).filter((secret) => secret !== '')
  if (secrets.every((secret) => /^[!-~]{32,256}$/.test(secret))) return secrets
  throw new ConfigError(
    `${name} must be 32 to 256 visible ASCII characters, such as openssl rand -base64 32 prints; several values are separated by commas.`,
  )
}

export function parseTrustProxy(text: string): boolean | string {
  if (text === 'true' || text === 'false') return text === 'true'
  const proxies = text.split(',').map((entry) => entry.trim())
  if (proxies.every(isNetwork)) return proxies.join()
  throw new ConfigError(`VERSO_TRUST_PROXY must be true, false, or the addresses of the proxies, comma-separated; it is ${text}.`)
}

export function parseNetworks(name: string, text = ''): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  const known = entries.filter((entry) => entry !== '')
  const odd = known.find((entry) => !isNetwork(entry) && !/^[a-z\d_](?:[a-z\d_.-]*[a-z\d_])?$/i.test(entry))
  if (odd !== undefined)
    throw new ConfigError(
      `${name} must be addresses, networks and host names, comma-separated, such as 10.0.0.0/8,hooks.internal; ${odd} is none.`,
    )
  return known
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Both ends are included. */
export interface Range {
  /** 0 if it is missing. */
  readonly min?: number
  readonly max: number
}

export function parseInteger(name: string, text: string, { min = 0, max }: Range): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= max)) throw new ConfigError(`${name} must be a whole number from ${min} to ${max}; it is ${text}.`)
  return number
}

export function oneOf<V extends string>(name: string, text: string, values: readonly V[]): V {
  const found = values.find((each) => each === text)
  if (found === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}; it is ${text}.`)
  return found
}
