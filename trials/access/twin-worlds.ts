import { operator } from '../../src/actions/caller.ts'
import { editProject } from '../../src/resources/projects/project-actions.ts'
import { toInstant } from '../../src/values/instant.ts'
import type { TestEngine } from '../../test/harness/databases.ts'
import type { Answer, Requests, TestApp } from '../../test/harness/harness.ts'
import { startWorld, type World } from '../../test/harness/repeatable-service.ts'
import type { Reader } from './public-reads.ts'
import { openWire, type Wire } from './wire.ts'

/** One of two services that differ only in what is unpublished. */
export interface TwinWorld {
  readonly world: World
  readonly wire: Wire
  readonly tokens: Readonly<Record<Reader, string | null>>
  /** Asks with a key that may do everything. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  /** The ids of posts that were hidden from the start, or from some moment on, and that may be changed while nobody may notice. */
  readonly hiddenPosts: string[]
}

export const startOfTime = Date.parse('2026-06-01T12:00:00.000Z')

const everything = ['admin', 'posts:write', 'posts:publish', 'posts:delete', 'media:write', 'changes:read', 'authors:read_email'] as const

export async function startTwins(engine: TestEngine): Promise<readonly [TwinWorld, TwinWorld]> {
  return [await startTwin(engine), await startTwin(engine)]
}

async function startTwin(engine: TestEngine): Promise<TwinWorld> {
  // Feeds name the address of the service, which is another one for each.
  const world = await startWorld(engine, { VERSO_PUBLIC_URL: 'https://content.example' })
  const { verso } = world
  const at = new Date(startOfTime).toISOString()
  const made = await world.step('keys', at, async () => ({
    admin: await verso.keyWith(...everything),
    publicMedia: await verso.publicKeyWith('posts:read', 'authors:read', 'changes:read', 'media:read'),
    reader: await verso.keyWith('posts:read', 'changes:read'),
    emailReader: await verso.keyWith('posts:read', 'authors:read_email', 'media:read', 'changes:read'),
  }))
  const { admin, ...readers } = made
  await world.step('site', at, ({ app, projectId }) => {
    const edits = { siteUrl: 'https://site.example', permalink: '/{year}/{slug}' }
    return app.installation.perform(editProject, operator(projectId, 'cli', toInstant(new Date(at))), { slug: 'default', edits })
  })
  return {
    world,
    wire: openWire(verso.app.url),
    tokens: { public: verso.public, ...readers, none: null, unknown: 'verso_live_none' },
    ask: asking(verso, admin),
    hiddenPosts: [],
  }
}

function asking(verso: Requests & Pick<TestApp, 'request'>, key: string): TwinWorld['ask'] {
  return (method, path, body) => verso.request(method, path, { key, ...(body !== undefined && { body }) })
}
