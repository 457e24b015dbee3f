import { Command, InvalidArgumentError, Option } from 'commander'
import { type Scope, scopes } from '../../actions/caller.ts'
import { validatorOf } from '../../actions/validation/validate.ts'
import { type ApiKey, defaultGraceHours, endOf, type KeyKind, keyKinds } from '../../resources/projects/keys/api-key.ts'
import { createKey, revokeKey, rotateKey } from '../../resources/projects/keys/key-actions.ts'
import { KeyCreate, KeyRotate, keyList } from '../../resources/projects/keys/key-schema.ts'
import { listKeys } from '../../resources/projects/keys/key-store.ts'
import { type Instant, later, parseInstant } from '../../values/instant.ts'
import { everyPage } from '../every-page.ts'
import { type CommonOptions, examples, print, projectScoped, say, table } from '../terminal.ts'
import { withProject } from '../with-installation.ts'

interface CreateOptions extends CommonOptions {
  readonly kind: KeyKind
  readonly name: string
  readonly scopes?: readonly Scope[]
  readonly proposals?: true
  readonly expires?: (now: Instant) => Instant
}

const proposalScopes: readonly Scope[] = ['posts:propose', 'authors:read', 'media:read']

const unitMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `verso key create|list|revoke|rotate`. */
export function keyCommand(): Command {
  const command = new Command('key')
    .description('Create, list, revoke and rotate API keys.')
    .addHelpText(
      'after',
      examples('verso key create --kind public --name website', 'verso key list', 'verso key revoke key_06dq8k2rxf7e9aw5n4j1t3ybvc'),
    )
  return command.addCommand(create()).addCommand(list()).addCommand(revoke()).addCommand(rotate())
}

function create(): Command {
  return projectScoped('create', 'Create an API key and print it. It is shown only once.')
    .addOption(new Option('--kind <kind>', 'secret for servers, public for web pages').choices([...keyKinds]).makeOptionMandatory())
    .requiredOption('--name <name>', 'where the key is used')
    .option(
      '--scopes <scopes>',
      'comma-separated; default: every scope but those of administration, for public keys the reading scopes',
      parseScopes,
    )
    .addOption(
      new Option('--proposals', `for an agent whose edits wait until a person applies them: ${proposalScopes.join(', ')}`).conflicts(
        'scopes',
      ),
    )
    .option('--expires <when>', 'a time from now (12h, 90d, 8w) or a date (2027-01-31T00:00:00Z); default: never', parseExpiry)
    .addHelpText(
      'after',
      examples(
        'verso key create --kind public --name website',
        'verso key create --kind secret --name ci --scopes posts:read,posts:write --expires 90d',
        'verso key create --kind secret --name agent --proposals',
      ),
    )
    .action(async (options: CreateOptions) => {
      const key = await withProject(options, ({ perform }, caller) => {
        const { kind, name } = options
        const expiresAt = options.expires?.(caller.now)
        const asked = options.proposals ? proposalScopes : options.scopes
        const scopes = asked && { scopes: [...asked] }
        const body = validatorOf(KeyCreate)({ kind, name, ...scopes, ...(expiresAt && { expiresAt }) })
        return perform(createKey, caller, { body })
      })
      say(options, 'Keep this key: it is shown only now.')
      print(options, key, key.token)
    })
}

function list(): Command {
  return projectScoped('list', 'List the API keys of a project, newest first.').action(async (options: CommonOptions) => {
    const { keys, now } = await withProject(options, async ({ db }, caller) => {
      return { keys: await everyPage(keyList, caller, (plan) => listKeys(db, caller.projectId, plan)), now: caller.now }
    })
    const rows = keys.map((key) => [
      key.id,
      key.name,
      key.kind,
      `…${key.last4}`,
      stateOf(key, now),
      key.lastUsedAt ?? 'never',
      key.scopes.join(','),
    ])
    print(options, keys, table(['ID', 'NAME', 'KIND', 'KEY', 'STATE', 'LAST USED', 'SCOPES'], rows, 'No keys yet: verso key create --help'))
  })
}

function revoke(): Command {
  return projectScoped('revoke', 'Revoke an API key. It stops working at once.')
    .argument('<id>', 'as verso key list shows it')
    .addHelpText('after', examples('verso key revoke key_06dq8k2rxf7e9aw5n4j1t3ybvc'))
    .action(async (id: string, options: CommonOptions) => {
      await withProject(options, ({ perform }, caller) => perform(revokeKey, caller, { id }))
      print(options, { id, revoked: true }, `Key ${id} is revoked.`)
    })
}

function rotate(): Command {
  return projectScoped('rotate', 'Replace an API key with a new one of the same kind, name and scopes.')
    .argument('<id>', 'as verso key list shows it')
    .option('--grace <hours>', 'how many hours the old key still works', parseHours, defaultGraceHours)
    .addHelpText('after', examples('verso key rotate key_06dq8k2rxf7e9aw5n4j1t3ybvc --grace 1'))
    .action(async (id: string, options: CommonOptions & { readonly grace: number }) => {
      const body = validatorOf(KeyRotate)({ graceHours: options.grace })
      const key = await withProject(options, ({ perform }, caller) => perform(rotateKey, caller, { id, body }))
      say(options, `Keep this key: it is shown only now. The old one works for another ${options.grace} h.`)
      print(options, key, key.token)
    })
}

function stateOf(key: ApiKey, now: Instant): string {
  const end = endOf(key)
  if (end === null) return 'valid'
  if (end > now) return `until ${end}`
  return end === key.revokedAt ? 'revoked' : 'expired'
}

function parseScopes(text: string): readonly Scope[] {
  return text.split(',').map((name) => {
    const scope = scopes.find((each) => each === name.trim())
    const what = name.trim() === '' ? 'The list has an empty name.' : `There is no scope ${name}.`
    if (scope === undefined) throw new InvalidArgumentError(`${what} The scopes are ${scopes.join(', ')}.`)
    return scope
  })
}

function parseExpiry(text: string): (now: Instant) => Instant {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (amount !== undefined && (unit === 'h' || unit === 'd' || unit === 'w')) return (now) => later(now, Number(amount) * unitMs[unit])
  const instant = parseInstant(text) ?? (/^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined)
  if (instant === undefined)
    throw new InvalidArgumentError('It must be a time from now such as 12h, 90d or 8w, or a date such as 2027-01-31.')
  return () => instant
}

function parseHours(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 720) throw new InvalidArgumentError('It must be a whole number of hours from 0 to 720.')
  return Number(text)
}
