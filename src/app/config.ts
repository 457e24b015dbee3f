import { resolve } from 'node:path'
import { closestName } from '../values/letters/closest-name.ts'
import { parseUrl } from '../values/parse-url.ts'
import {
  ConfigError,
  oneOf,
  parseInteger,
  parseMetricsToken,
  parseNetworks,
  parseSecrets,
  parseTrustProxy,
  parseWebUrl,
  type Range,
} from './config-values.ts'

/** The checked configuration. docs/reference/configuration.md explains each value. */
export interface Config {
  readonly database: DatabaseAddress
  readonly host: string
  readonly port: number
  readonly publicUrl: URL | undefined
  readonly logLevel: (typeof logLevels)[number]
  readonly logFormat: (typeof logFormats)[number]
  readonly trustProxy: boolean | string
  readonly sharedMaxAgeSeconds: number | undefined
  readonly stopWaitSeconds: number
  /** The most requests of a key in a minute; 0 for no limit. */
  readonly rateLimits: { readonly reads: number; readonly writes: number }
  /** A response is given up if its client reads nothing of it for this long. */
  readonly sendTimeoutSeconds: number
  /** The most that is held in memory for clients that read slowly. */
  readonly sendBufferBytes: number
  /** The bearer token for /metrics; none if /metrics is off. */
  readonly metricsToken: string | undefined
  /** Private addresses, networks and host names that webhooks may be sent to. */
  readonly webhookAllow: readonly string[]
  /** The values of VERSO_SECRET, the one that seals first; none if it is not set. */
  readonly secrets: readonly string[]
  /** Where the backup before a migration goes: a folder, `s3://…` or `none`. */
  readonly upgradeBackup: string | undefined
  /** Whether the studio is served at /studio. */
  readonly studio: boolean
  /** Whether agents are served at /mcp. */
  readonly mcp: boolean
  /** A script runner (`npm start`) started the process. If it is killed, its shell passes no signal on. */
  readonly startedByRunner: boolean
}

export type DatabaseAddress = SqliteAddress | PostgresAddress

interface SqliteAddress {
  readonly kind: 'sqlite'
  readonly path: string
}

export interface PostgresAddress {
  readonly kind: 'postgres'
  readonly url: string
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly prepare: boolean
  /** The clock that counts: that of the database, which all nodes share, or that of the process. */
  readonly clock: 'database' | 'process'
}

const defaultPort = 4400

/** Where `verso sync` and the examples look for the service unless told otherwise. */
export const defaultUrl = `http://127.0.0.1:${defaultPort}`

/** More than one process can answer in a minute. */
const maxRate = 10_000_000

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
const logFormats = ['auto', 'json', 'pretty'] as const

/** Encryption of connections to PostgreSQL; docs/reference/configuration.md explains each mode. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const

type Environment = Readonly<Record<string, string | undefined>>

/** Every variable that is read; docs/reference/configuration.md has a row for each. */
const variables = [
  'VERSO_DATABASE',
  'DATABASE_URL',
  'HOST',
  'PORT',
  'VERSO_PUBLIC_URL',
  'VERSO_LOG_LEVEL',
  'VERSO_LOG_FORMAT',
  'VERSO_TRUST_PROXY',
  'VERSO_SHARED_MAX_AGE',
  'VERSO_STOP_WAIT',
  'VERSO_RATE_LIMIT_READS',
  'VERSO_RATE_LIMIT_WRITES',
  'VERSO_SEND_TIMEOUT',
  'VERSO_SEND_BUFFER',
  'VERSO_METRICS_TOKEN',
  'VERSO_WEBHOOK_ALLOW',
  'VERSO_SECRET',
  'VERSO_PG_POOL',
  'VERSO_PG_STATEMENT_TIMEOUT',
  'VERSO_PG_LOCK_TIMEOUT',
  'VERSO_PG_PREPARE',
  'VERSO_URL',
  'VERSO_KEY',
  'VERSO_UPGRADE_BACKUP',
  'VERSO_STUDIO',
  'VERSO_MCP',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_ENDPOINT_URL',
] as const

type Variable = (typeof variables)[number]

/** Reads the configuration: flags first, then the environment. */
export function readConfig(flags: Partial<Record<'database' | 'host' | 'port', string>> = {}, env: Environment = process.env): Config {
  const publicUrl = value(env, 'VERSO_PUBLIC_URL')
  return {
    database: parseDatabase(
      given(env, ['--database', flags.database], 'VERSO_DATABASE', 'DATABASE_URL') ?? ['VERSO_DATABASE', 'sqlite:data/verso.db'],
      env,
    ),
    host: parseHost(given(env, ['--host', flags.host], 'HOST') ?? ['HOST', '127.0.0.1']),
    port: portOf(env, flags.port),
    publicUrl: publicUrl === undefined ? undefined : parseWebUrl('VERSO_PUBLIC_URL', publicUrl),
    logLevel: oneOf('VERSO_LOG_LEVEL', value(env, 'VERSO_LOG_LEVEL') ?? 'info', logLevels),
    logFormat: oneOf('VERSO_LOG_FORMAT', value(env, 'VERSO_LOG_FORMAT') ?? 'auto', logFormats),
    trustProxy: parseTrustProxy(value(env, 'VERSO_TRUST_PROXY') ?? 'false'),
    sharedMaxAgeSeconds: optionalInteger(env, 'VERSO_SHARED_MAX_AGE', { max: 31_536_000 }),
    stopWaitSeconds: optionalInteger(env, 'VERSO_STOP_WAIT', { max: 600 }) ?? 0,
    rateLimits: {
      reads: optionalInteger(env, 'VERSO_RATE_LIMIT_READS', { max: maxRate }) ?? 0,
      writes: optionalInteger(env, 'VERSO_RATE_LIMIT_WRITES', { max: maxRate }) ?? 0,
    },
    sendTimeoutSeconds: optionalInteger(env, 'VERSO_SEND_TIMEOUT', { min: 1, max: 3_600 }) ?? 30,
    sendBufferBytes: (optionalInteger(env, 'VERSO_SEND_BUFFER', { min: 1, max: 65_536 }) ?? 128) * 2 ** 20,
    metricsToken: parseMetricsToken(value(env, 'VERSO_METRICS_TOKEN')),
    webhookAllow: parseNetworks('VERSO_WEBHOOK_ALLOW', value(env, 'VERSO_WEBHOOK_ALLOW')),
    secrets: parseSecrets('VERSO_SECRET', value(env, 'VERSO_SECRET')),
    upgradeBackup: parseUpgradeBackup(value(env, 'VERSO_UPGRADE_BACKUP')),
    studio: oneOf('VERSO_STUDIO', value(env, 'VERSO_STUDIO') ?? 'on', ['on', 'off']) === 'on',
    mcp: oneOf('VERSO_MCP', value(env, 'VERSO_MCP') ?? 'on', ['on', 'off']) === 'on',
    startedByRunner: env.npm_lifecycle_event !== undefined,
  }
}

/** A running service and the key to use with it. */
interface Remote {
  readonly url: URL
  readonly key: string
}

/** The service that `verso sync` reads from: flags first, then the environment. */
export function readRemote(flags: Partial<Record<'url' | 'key', string>>, env: Environment = process.env): Remote {
  const key = flags.key ?? value(env, 'VERSO_KEY')
  // A key that is not a valid header value would appear in the error message of `fetch`.
  if (key === undefined || !/^\w+$/.test(key))
    throw new ConfigError('VERSO_KEY (or --key) must be an API key, such as verso key create prints.')
  const url = given(env, ['--url', flags.url], 'VERSO_URL') ?? (['VERSO_URL', `http://127.0.0.1:${portOf(env) || defaultPort}`] as const)
  return { url: parseWebUrl(...url), key }
}

/** An address in S3: bucket and key. */
export const s3Address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/

/** How to reach the buckets of `s3://…`. */
interface S3Access {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
  readonly region: string
  readonly endpoint: URL | undefined
}

/** Access to S3: the flag first, then the variables that other tools read, too. */
export function readS3(flags: { readonly endpoint?: string }, env: Environment = process.env): S3Access {
  const [accessKeyId, secretAccessKey] = [value(env, 'AWS_ACCESS_KEY_ID'), value(env, 'AWS_SECRET_ACCESS_KEY')]
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError('An address s3://… needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const endpoint = flags.endpoint ?? value(env, 'AWS_ENDPOINT_URL')
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: value(env, 'AWS_SESSION_TOKEN'),
    region: value(env, 'AWS_REGION') ?? 'us-east-1',
    endpoint: endpoint === undefined ? undefined : parseWebUrl('AWS_ENDPOINT_URL (or --endpoint)', endpoint),
  }
}

/** Names each variable `VERSO_…` that nothing reads, with the name that was probably meant. The tests have `VERSO_TEST_…` to themselves. */
export function unknownVariables(env: Environment = process.env): readonly string[] {
  const known: readonly string[] = variables
  const byShortName = new Map(variables.map((name) => [shortName(name), name]))
  const unknown = Object.keys(env).filter((name) => /^VERSO_(?!TEST_)/.test(name) && !known.includes(name))
  return unknown.sort().map((name) => {
    const nearest = byShortName.get(closestName(shortName(name), byShortName.keys()) ?? '')
    return `${name} is not a setting of Verso and has no effect.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`
  })
}

/** `VERSO_PORT` means `PORT`. */
function shortName(name: string): string {
  return name.replace(/^VERSO_/, '')
}

function portOf(env: Environment, flag?: string): number {
  const [name, text] = given(env, ['--port', flag], 'PORT') ?? (['PORT', String(defaultPort)] as const)
  return parseInteger(name, text, { max: 65_535 })
}

/** Node.js takes an empty host for every address of the machine. */
function parseHost([name, text]: Given): string {
  if (text.trim() === '')
    throw new ConfigError(`${name} must be the address to listen on, such as 127.0.0.1, or 0.0.0.0 for all; it is empty.`)
  return text
}

/** What gave a value, a flag or a variable, and the value. */
type Given = readonly [name: string, text: string]

/** The flag, else the first of the variables that is set. */
function given(env: Environment, flag: readonly [string, string | undefined], ...names: readonly Variable[]): Given | undefined {
  const all = [flag, ...names.map((name) => [name, value(env, name)] as const)]
  return all.find((each): each is Given => each[1] !== undefined)
}

function value(env: Environment, name: Variable): string | undefined {
  const text = env[name]?.trim()
  return text === '' ? undefined : text
}

function parseDatabase([name, text]: Given, env: Environment): DatabaseAddress {
  // Checked over SQLite, too, so that a wrong value does not wait for the move to PostgreSQL.
  const settings = postgresSettings(env)
  if (/^postgres(ql)?:\/\//.test(text)) return postgresAddress([name, text], settings)
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1]
  if (path === undefined) throw new ConfigError(`${name} must be sqlite:<path> or postgres://<user>:<password>@<host>/<database>.`)
  return { kind: 'sqlite', path: resolve(path) }
}

function postgresAddress([name, url]: Given, settings: ReturnType<typeof postgresSettings>): PostgresAddress {
  const parsed = parseUrl(url)
  if (!parsed) throw new ConfigError(`${name} is not a valid postgres:// URL; percent-encode special characters of the password.`)
  const sslmode = parsed.searchParams.get('sslmode')
  if (sslmode !== null) oneOf('sslmode', sslmode, sslModes)
  return {
    kind: 'postgres',
    url,
    ...settings,
    clock: 'database',
  }
}

function postgresSettings(env: Environment): Omit<PostgresAddress, 'kind' | 'url' | 'clock'> {
  return {
    poolSize: optionalInteger(env, 'VERSO_PG_POOL', { min: 1, max: 1_000 }) ?? 10,
    statementTimeoutMs: (optionalInteger(env, 'VERSO_PG_STATEMENT_TIMEOUT', { max: 3_600 }) ?? 30) * 1_000,
    lockTimeoutMs: (optionalInteger(env, 'VERSO_PG_LOCK_TIMEOUT', { max: 3_600 }) ?? 10) * 1_000,
    prepare: oneOf('VERSO_PG_PREPARE', value(env, 'VERSO_PG_PREPARE') ?? 'true', ['true', 'false']) === 'true',
  }
}

function parseUpgradeBackup(text: string | undefined): string | undefined {
  if (text === undefined || !/^s3:/.test(text) || s3Address.test(text)) return text
  throw new ConfigError(`VERSO_UPGRADE_BACKUP must be a folder, s3://<bucket>/<prefix> or none; it is ${text}.`)
}

function optionalInteger(env: Environment, name: Variable, range: Range): number | undefined {
  const text = value(env, name)
  return text === undefined ? undefined : parseInteger(name, text, range)
}
