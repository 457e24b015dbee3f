import pino from 'pino'
import { onTestFinished } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import { type DatabaseAddress, readConfig } from '../../../src/app/config.ts'
import { type App, startApp } from '../../../src/app/start-app.ts'
import { createPost, patchPost } from '../../../src/resources/posts/post-actions.ts'
import { createProject } from '../../../src/resources/projects/project-actions.ts'
import { sealingKeys } from '../../../src/resources/webhooks/sealed-secret.ts'
import { createWebhook } from '../../../src/resources/webhooks/webhook-actions.ts'
import { newId, type ProjectId } from '../../../src/values/ids.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { type TestContext, type TestEngine, testSecret } from '../../harness/harness.ts'
import type { Received } from './receiver.ts'

const allow = ['127.0.0.1']
/** Webhooks may go to receivers on this machine. */
export const env = { ...testSecret, VERSO_WEBHOOK_ALLOW: allow.join() }

/** A database with one project, and programs on it that can be dropped, as if they had been killed: what they were at is left as it is. */
export interface Installation {
  readonly address: DatabaseAddress
  readonly context: TestContext
  readonly projectId: ProjectId
  readonly first: App
  /** One more program on the same database. */
  start(): Promise<App>
}

export async function startInstallation(engine: TestEngine, context: TestContext): Promise<Installation> {
  const { address, drop } = await engine.create()
  const started: App[] = []
  onTestFinished(async () => {
    for (const app of started) await app.stop()
    await drop()
  })
  const start = async () => {
    const app = await startNode(address, context)
    started.push(app)
    return app
  }
  const first = await start()
  const projectId = newId('prj', toInstant(context.now()), context.random)
  const project = { slug: 'default', name: 'default', siteUrl: null, permalink: null }
  await first.installation.perform(createProject, callerOf({ projectId, context }), project)
  return { address, context, projectId, first, start }
}

function startNode(database: DatabaseAddress, context: TestContext): Promise<App> {
  const config = { ...readConfig({ host: '127.0.0.1', port: '0' }, env), database }
  return startApp({ config, context, log: pino({ level: 'fatal' }) })
}

function callerOf({ projectId, context }: Pick<Installation, 'projectId' | 'context'>) {
  return operator(projectId, 'cli', toInstant(context.now()))
}

/** An endpoint that hears of all that happens to posts. */
export async function addEndpoint(installation: Installation, url: string): Promise<void> {
  const body = { ok: true as const, value: { url, events: ['post.*' as const] } }
  await installation.first.installation.perform(createWebhook, callerOf(installation), {
    allow,
    keys: sealingKeys([testSecret.VERSO_SECRET]),
    body,
  })
}

/** Puts many events into the log, five of every post. */
export async function write(installation: Installation, count: number): Promise<void> {
  const { engine, context } = installation.first.installation
  const caller = callerOf(installation)
  await engine.write(async (tx) => {
    const ids: string[] = []
    for (let i = 0; i < count / 5; i++) {
      const { id } = await createPost.run(tx, caller, { body: { ok: true, value: { title: `Post ${i}` } } }, context.random)
      ids.push(id)
    }
    for (const excerpt of ['b', 'c', 'd', 'e']) {
      for (const idOrSlug of ids)
        await patchPost.run(tx, caller, { idOrSlug, ifMatch: 'any', body: { ok: true, value: { excerpt } } }, context.random)
    }
  })
}

/** What a receiver keeps that drops repeats by `webhook-id`. */
export function withoutRepeats(received: readonly Received[]): readonly Received[] {
  const seen = new Set<string>()
  return received.filter(({ id }) => !seen.has(id) && seen.add(id))
}
