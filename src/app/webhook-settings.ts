import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { sealingKeys } from '../resources/webhooks/sealed-secret.ts'
import type { WebhookSettings } from '../resources/webhooks/webhook-actions.ts'
import { listSealingKeyIds } from '../resources/webhooks/webhook-store.ts'
import type { Random } from '../values/ids.ts'
import type { Config } from './config.ts'
import { ConfigError, parseSecrets } from './config-values.ts'
import type { Installation } from './installation.ts'

type Configured = Pick<Config, 'database' | 'secrets' | 'webhookAllow'>

const renew = 'give the webhooks new secrets with: verso webhook reseal --renew-lost.'

/**
 * The settings of webhooks, with the keys that seal their secrets: from VERSO_SECRET, or on SQLite from a file beside the database, which is
 * generated at the first start. Throws if there is no key, or if none of them opens a secret in the database.
 */
export async function webhookSettings({ db, context }: Pick<Installation, 'db' | 'context'>, config: Configured): Promise<WebhookSettings> {
  const sealedBy = await listSealingKeyIds(db)
  const settings = settingsWith(config, sealedBy.size > 0 ? undefined : context.random)
  const missing = [...sealedBy].filter((id) => !settings.keys.some((key) => key.id === id))
  if (missing.length === 0) return settings
  const given = config.secrets.length > 0 ? 'VERSO_SECRET' : secretFileOf(config)
  throw new ConfigError(
    `secrets of webhooks in this database were sealed with another key than the one in ${given}. Use the former one; if it is lost, ${renew}`,
  )
}

/** The same, whether or not the keys open what is in the database. */
export function newWebhookSettings({ context }: Pick<Installation, 'context'>, config: Configured): WebhookSettings {
  return settingsWith(config, context.random)
}

/** Throws where only the configuration can have the key and it has none. A start asks first, so that it leaves no database behind. */
export function requireSecret(config: Pick<Config, 'database' | 'secrets'>): void {
  if (config.secrets.length === 0) secretFileOf(config)
}

function settingsWith(config: Configured, random: Random | undefined): WebhookSettings {
  const [first, ...more] = config.secrets.length > 0 ? config.secrets : readSecretFile(secretFileOf(config), random)
  if (first === undefined)
    throw new ConfigError(`${secretFileOf(config)} is empty. Write the key into it that it had; if it is lost, ${renew}`)
  return { allow: config.webhookAllow, keys: sealingKeys([first, ...more]) }
}

/** Stands beside a SQLite database. Nodes over PostgreSQL share no folder. */
function secretFileOf({ database }: Pick<Config, 'database'>): string {
  if (database.kind === 'sqlite') return `${database.path}.secret`
  throw new ConfigError(
    'VERSO_SECRET must be set over PostgreSQL, to the same value on every node, such as openssl rand -base64 32 prints.',
  )
}

/** Generates the file if there is none and `random` is given. */
function readSecretFile(path: string, random: Random | undefined): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    if (random === undefined)
      throw new ConfigError(`${path} is missing: it has the key that opens the secrets of webhooks. Put it back; if it is lost, ${renew}`)
    writeSecretFile(path, Buffer.from(random(32)).toString('base64url'))
  }
  return parseSecrets(path, readFileSync(path, 'utf8'))
}

/** Appears with its content, or not at all. Where another process was first, its file stays. */
function writeSecretFile(path: string, secret: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
}
