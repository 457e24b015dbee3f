import { Command, InvalidArgumentError, Option } from 'commander'
import { operator } from '../../actions/caller.ts'
import { validatorOf } from '../../actions/validation/validate.ts'
import { readConfig } from '../../app/config.ts'
import { newWebhookSettings, webhookSettings } from '../../app/webhook-settings.ts'
import { listProjects } from '../../resources/projects/project-store.ts'
import type { Webhook } from '../../resources/webhooks/webhook.ts'
import { defaultGraceHours, eventFilters } from '../../resources/webhooks/webhook.ts'
import { createWebhook, editWebhook, removeWebhook, replay, resealSecrets, rotateSecret } from '../../resources/webhooks/webhook-actions.ts'
import { Replay, SecretRotate, WebhookCreate, WebhookPatch, webhookList } from '../../resources/webhooks/webhook-schema.ts'
import { listWebhooks } from '../../resources/webhooks/webhook-store.ts'
import { CommandFailed } from '../errors.ts'
import { everyPage } from '../every-page.ts'
import { type CommonOptions, changing, counted, databaseCommand, examples, print, projectScoped, say, table } from '../terminal.ts'
import { withInstallation, withProject } from '../with-installation.ts'
import { deliveries, redeliverCommand, test } from './webhook-delivery-command.ts'

interface WebhookOptions extends CommonOptions {
  readonly name?: string
  readonly url?: string
  readonly events?: readonly string[]
  readonly secret?: string
  readonly enable?: true
  readonly disable?: true
}

const example = 'whk_06dq8k2rxf7e9aw5n4j1t3ybvc'

/** `verso webhook create|list|edit|remove|test|deliveries|redeliver|replay|rotate-secret|reseal`. */
export function webhookCommand(): Command {
  const command = new Command('webhook')
    .description('Manage webhooks, which notify other programs of changes.')
    .addHelpText(
      'after',
      examples(
        'verso webhook create https://example.com/hook --events post.published',
        'verso webhook list',
        'verso webhook test whk_06dq8k2rxf7e9aw5n4j1t3ybvc',
      ),
    )
  const ofWebhooks = [create(), list(), edit(), remove(), rotate(), reseal(), replayCommand()]
  for (const each of [...ofWebhooks, test(), deliveries(), redeliverCommand()]) command.addCommand(each)
  return command
}

function create(): Command {
  return details(projectScoped('create', 'Create a webhook and print its signing secret. It is shown only once.').argument('<url>'))
    .option('--secret <secret>', 'whsec_ and base64 of 24 to 64 bytes; default: a new one')
    .addHelpText('after', examples('verso webhook create https://example.com/hook --events post.published,project.changed'))
    .action(async (url: string, options: WebhookOptions) => {
      const body = validatorOf(WebhookCreate)({ url, ...fields(options), ...(options.secret !== undefined && { secret: options.secret }) })
      const webhook = await withProject(options, async (installation, caller) =>
        installation.perform(createWebhook, caller, { ...(await webhookSettings(installation, readConfig(options))), body }),
      )
      say(options, `Webhook ${webhook.id} created. Keep its secret: it is shown only now.`)
      print(options, webhook, webhook.secret)
    })
}

function list(): Command {
  return projectScoped('list', 'List the webhooks of a project by name.').action(async (options: CommonOptions) => {
    const webhooks = await withProject(options, ({ db }, caller) =>
      everyPage(webhookList, caller, (plan) => listWebhooks(db, caller.projectId, plan)),
    )
    const rows = webhooks.map((webhook) => [webhook.id, webhook.name, webhook.url, webhook.events.join(','), stateOf(webhook)])
    print(options, webhooks, table(['ID', 'NAME', 'URL', 'EVENTS', 'STATE'], rows, 'No webhooks yet: verso webhook create --help'))
  })
}

function edit(): Command {
  return details(changing(projectScoped('edit', 'Change, enable or disable a webhook.')).argument('<id>', 'as verso webhook list shows it'))
    .option('--url <url>', 'the URL to send to')
    .addOption(new Option('--enable', 'send again, from where it stopped').conflicts('disable'))
    .option('--disable', 'send nothing')
    .addHelpText('after', examples(`verso webhook edit ${example} --enable`))
    .action(async (id: string, options: WebhookOptions) => {
      const { url, enable, disable } = options
      const enabled = enable || disable ? { enabled: enable === true } : {}
      const body = validatorOf(WebhookPatch)({ ...fields(options), ...(url !== undefined && { url }), ...enabled })
      const webhook = await withProject(options, ({ perform }, caller) =>
        perform(editWebhook, caller, { id, allow: readConfig().webhookAllow, body }),
      )
      print(options, webhook, `${webhook.id}  ${webhook.url}  ${stateOf(webhook)}`)
    })
}

function remove(): Command {
  return projectScoped('remove', 'Remove a webhook and its deliveries.')
    .argument('<id>', 'as verso webhook list shows it')
    .addHelpText('after', examples(`verso webhook remove ${example}`))
    .action(async (id: string, options: CommonOptions) => {
      await withProject(options, ({ perform }, caller) => perform(removeWebhook, caller, { id }))
      print(options, { id, removed: true }, `Webhook ${id} is removed.`)
    })
}

function rotate(): Command {
  return projectScoped('rotate-secret', 'Give a webhook a new signing secret and print it. It is shown only once.')
    .argument('<id>', 'as verso webhook list shows it')
    .option('--grace <hours>', 'how many hours the old secret signs as well', parseHours, defaultGraceHours)
    .addHelpText('after', examples(`verso webhook rotate-secret ${example} --grace 1`))
    .action(async (id: string, options: CommonOptions & { readonly grace: number }) => {
      const body = validatorOf(SecretRotate)({ graceHours: options.grace })
      const webhook = await withProject(options, async (installation, caller) => {
        const { keys } = await webhookSettings(installation, readConfig(options))
        return installation.perform(rotateSecret, caller, { id, keys, body })
      })
      say(options, `Keep this secret: it is shown only now. The old one signs as well for another ${options.grace} h.`)
      print(options, webhook, webhook.secret)
    })
}

function reseal(): Command {
  return databaseCommand('reseal', 'Seal the secrets of all webhooks with the first value of VERSO_SECRET.')
    .option('--renew-lost', 'give a new secret, shown only once, to each webhook whose secret no value opens')
    .addHelpText('after', examples('VERSO_SECRET=<new>,<old> verso webhook reseal', 'verso webhook reseal --renew-lost'))
    .action(async (options: Pick<CommonOptions, 'database' | 'json'> & { readonly renewLost?: true }) => {
      const { resealed, lost, renewed } = await resealAll(options, options.renewLost === true)
      const rows = renewed.map((webhook) => [webhook.id, webhook.url, webhook.secret])
      if (rows.length > 0) say(options, 'Give these secrets to the receivers: they are shown only now.')
      print(
        options,
        { resealed, renewed },
        [`${counted(resealed, 'webhook')} resealed.`, ...(rows.length > 0 ? [table(['ID', 'URL', 'SECRET'], rows, '')] : [])].join('\n'),
      )
      if (lost.length > renewed.length) {
        const ids = lost.map(({ id }) => id).join(', ')
        throw new CommandFailed(`no value opens the secrets of ${ids}; --renew-lost gives them new ones.`)
      }
    })
}

/** Reseals the secrets of every project. */
async function resealAll(options: Pick<CommonOptions, 'database'>, renewLost: boolean) {
  return withInstallation(options, async (installation) => {
    const { keys } = newWebhookSettings(installation, readConfig(options))
    const now = await installation.engine.now()
    const projects = await listProjects(installation.db)
    const done = []
    for (const { id } of projects) done.push(await installation.perform(resealSecrets, operator(id, 'cli', now), { keys, renewLost }))
    return {
      resealed: done.reduce((sum, { resealed }) => sum + resealed, 0),
      lost: done.flatMap(({ lost }) => lost),
      renewed: done.flatMap(({ renewed }) => renewed),
    }
  })
}

function replayCommand(): Command {
  return projectScoped('replay', 'Send the events after a revision again.')
    .argument('<id>', 'as verso webhook list shows it')
    .requiredOption('--since <revision>', 'the last revision that is not sent again; 0 for all', parseRevision)
    .addHelpText('after', examples(`verso webhook replay ${example} --since 120`))
    .action(async (id: string, options: CommonOptions & { readonly since: number }) => {
      const body = validatorOf(Replay)({ since: options.since })
      const webhook = await withProject(options, ({ perform }, caller) => perform(replay, caller, { id, body }))
      print(options, webhook, `The running service sends the events after revision ${options.since} again.`)
    })
}

function details(command: Command): Command {
  return command
    .option('--name <name>', 'the name of the receiver')
    .option('--events <events>', `comma-separated, such as post.published; one or more of ${eventFilters.join(', ')}`, (text) =>
      text.split(',').map((name) => name.trim()),
    )
}

function fields({ name, events }: WebhookOptions) {
  return { ...(name !== undefined && { name }), ...(events !== undefined && { events }) }
}

function stateOf({ enabled, disabledReason, failingSince }: Webhook): string {
  if (!enabled) return `disabled: ${disabledReason}`
  return failingSince === null ? 'enabled' : `failing since ${failingSince}`
}

/** Nothing is no revision: `--since "$REVISION"`, where nothing has set it, would send everything. */
function parseRevision(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(text)
}

function parseHours(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 720) throw new InvalidArgumentError('It must be a whole number of hours from 0 to 720.')
  return Number(text)
}
