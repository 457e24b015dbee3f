import pino from 'pino'
import { onTestFinished } from 'vitest'
import { operator } from '../src/actions/caller.ts'
import { type DatabaseAddress, readConfig } from '../src/app/config.ts'
import { type App, startApp } from '../src/app/start-app.ts'
import { type Context, realContext } from '../src/context.ts'
import { createPost } from '../src/resources/posts/post-actions.ts'
import type { ProjectId } from '../src/values/ids.ts'
import { toInstant } from '../src/values/instant.ts'
import type { TestEngine } from '../test/harness/databases.ts'
import { makeProject, type Requests, requestsTo, testSecret } from '../test/harness/harness.ts'
import { asServed, pause } from './delivery/kept-alive.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

interface Size {
  readonly posts: number
  /** How often the clock moves, by anything from a second back to a day forward. */
  readonly jumps: number
  /** Posts that fall due on two nodes whose clocks are ten minutes apart. */
  readonly postsOnNodes: number
}

const hour = 3_600_000
/** The night in which Berlin sets its clocks back: 02:30 comes twice, with two offsets. */
const start = Date.parse('2026-10-24T12:00:00Z')
const daylight = ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00', '2026-10-25T02:59:59.999+02:00', '2026-10-25T02:00:00+01:00']

trial<Size>({
  name: 'time-is-kept',
  promise: 'No scheduled post is published early, twice or not at all, whatever clocks do.',
  over: 'engines',
  sizes: {
    test: { posts: 30, jumps: 14, postsOnNodes: 20 },
    short: { posts: 200, jumps: 60, postsOnNodes: 100 },
    full: { posts: 3_000, jumps: 1_000, postsOnNodes: 1_000 },
  },
  minutes: { short: 2, full: 40 },
  async run({ size, engine, random, figure, note }) {
    const jumped = await throughJumps(size, engine, random)
    figure('posts that fall due while the clock jumps', size.posts)
    figure('jumps of the clock, forward and backward', size.jumps)
    report(figure, jumped)
    const { kind } = (await engine.create().then(async ({ address, drop }) => drop().then(() => address))) as DatabaseAddress
    if (kind !== 'postgres') return note('one process has one clock: nodes whose clocks differ are tried over PostgreSQL')
    const onNodes = await overNodes(size.postsOnNodes, engine, random)
    figure('posts that fall due on two nodes ten minutes apart', size.postsOnNodes)
    report(figure, onNodes)
  },
  controls: {
    async 'a post that is due earlier than it was scheduled is seen as early'({ size, engine, random }) {
      const { early } = await throughJumps(size, engine, random, (app) => update(app, { scheduled_for: toInstant(new Date(start)) }))
      return early
    },
    async 'a post whose time is put off is seen as missed'({ size, engine, random }) {
      const { missed } = await throughJumps(size, engine, random, (app) =>
        update(app, { scheduled_for: toInstant(new Date(start + 9_000 * hour)) }),
      )
      return missed
    },
    async 'a post that is scheduled anew after it was published is seen as published twice'({ size, engine, random }) {
      const { twice } = await throughJumps(size, engine, random, undefined, true)
      return twice
    },
  },
})

interface Seen {
  readonly early: number
  readonly missed: number
  readonly twice: number
}

function report(figure: (label: string, value: number, aim: { exactly: number }) => void, { early, missed, twice }: Seen): void {
  figure('published early', early, { exactly: 0 })
  figure('due and not published', missed, { exactly: 0 })
  figure('published twice', twice, { exactly: 0 })
}

interface Scheduled {
  readonly id: string
  readonly at: number
}

/** Moves the clock to and fro and asks after every jump. A post that was published stays so when the clock goes back. */
async function throughJumps(
  size: Size,
  engine: TestEngine,
  random: SeededRandom,
  tamper?: (app: App) => Promise<void>,
  again = false,
): Promise<Seen> {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  let now = start
  const node = await startNode(address, { now: () => new Date(now), repeat: () => ({ stop: async () => undefined }) })
  const chance = random.fork('jumps')
  const project = await makeProject(node, { now: () => new Date(now), random: realContext.random }, 'default')
  const posts = await schedule(node, project.projectId, now, [
    ...daylight,
    ...Array.from({ length: size.posts - daylight.length }, () => new Date(start + 60_000 + chance.int(48 * hour)).toISOString()),
  ])
  if (tamper) await tamper(node)
  let latest = now
  const seen = { early: new Set<string>(), missed: new Set<string>() }
  // To the millisecond before each instant of the night of the clocks, and to the instant itself.
  const exactly = daylight.flatMap((at) => [Date.parse(at) - 1, Date.parse(at)]).sort((a, b) => a - b)
  const steps = [-1_000, -hour, 1, 1_000, 60_000, hour, 2 * hour, 600_000]
  for (let jump = 0; jump <= size.jumps; jump++) {
    now = jump === size.jumps ? start + 72 * hour : (exactly[jump] ?? Math.max(start, now + chance.pick(steps)))
    latest = Math.max(latest, now)
    const published = await publishedIn(project, project.public)
    for (const { id, at } of posts) {
      if (published.has(id) && at > latest) seen.early.add(id)
      if (!published.has(id) && at <= now) seen.missed.add(id)
    }
    if (again && jump === size.jumps - 1) await update(node, { status: 'scheduled', scheduled_for: toInstant(new Date(start)) })
  }
  return { early: seen.early.size, missed: seen.missed.size, twice: await publishedTwice(node, posts) }
}

/** Two nodes over PostgreSQL, one five minutes ahead of its clock and one behind it. */
async function overNodes(count: number, engine: TestEngine, random: SeededRandom): Promise<Seen> {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  const database = asServed(address)
  const shifted = (ms: number) => ({ now: () => new Date(Date.now() + ms) })
  const nodes = [await startNode(database, shifted(5 * 60_000)), await startNode(database, shifted(-5 * 60_000))] as const
  const [first] = nodes
  const project = await makeProject(first, { now: () => new Date(), random: realContext.random }, 'default')
  const chance = random.fork('nodes')
  const from = Date.now() + 1_500
  const times = Array.from({ length: count }, () => new Date(from + chance.int(3_000)).toISOString())
  const posts = await schedule(first, project.projectId, Date.now(), times)
  const clients = nodes.map(({ url }) => requestsTo(url, project.public))
  const seen = { early: new Set<string>(), missed: new Set<string>() }
  for (let over = false; !over; ) {
    over = Date.now() > from + 3_500
    for (const client of clients) {
      const asked = await databaseTime(first)
      const published = await publishedIn(client, project.public)
      const answered = await databaseTime(first)
      for (const { id, at } of posts) {
        if (published.has(id) && at > answered) seen.early.add(id)
        if (!published.has(id) && at <= asked) seen.missed.add(id)
      }
    }
    await pause(50)
  }
  return { early: seen.early.size, missed: seen.missed.size, twice: await publishedTwice(first, posts) }
}

async function startNode(database: DatabaseAddress, given: Partial<Context>): Promise<App> {
  const config = { ...readConfig({ host: '127.0.0.1', port: '0' }, testSecret), database }
  const app = await startApp({ config, context: { ...realContext, ...given }, log: pino({ level: 'fatal' }) })
  onTestFinished(() => app.stop())
  return app
}

async function schedule({ installation }: App, projectId: ProjectId, now: number, times: readonly string[]): Promise<readonly Scheduled[]> {
  const caller = operator(projectId, 'cli', toInstant(new Date(now)))
  return installation.engine.write(async (tx) => {
    const made: Scheduled[] = []
    for (const [n, scheduledFor] of times.entries()) {
      const body = { ok: true as const, value: { title: `Post ${n}`, status: 'scheduled' as const, scheduledFor } }
      const { id } = await createPost.run(tx, caller, { body }, installation.context.random)
      made.push({ id, at: Date.parse(scheduledFor) })
    }
    return made
  }, projectId)
}

/** The posts that a public key is shown. */
async function publishedIn(client: Requests, key: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let cursor = ''; ; ) {
    const { body } = await client.get(`/v1/posts?limit=100&fields=id&sort=created_at${cursor}`, { key })
    for (const { id } of body.data) found.add(id)
    if (!body.pagination.hasMore) return found
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

/** Posts with more than one publication in the log, or a version that says so. */
async function publishedTwice({ installation }: App, posts: readonly Scheduled[]): Promise<number> {
  const rows = await installation.db.selectFrom('changes').select('resource_id').where('news', '=', 'post.published').execute()
  const times = new Map<string, number>()
  for (const { resource_id } of rows) times.set(resource_id, (times.get(resource_id) ?? 0) + 1)
  return posts.filter(({ id }) => (times.get(id) ?? 0) > 1).length
}

async function databaseTime({ installation }: App): Promise<number> {
  return Date.parse(await installation.engine.now())
}

/** Changes every tenth post behind the service's back. */
async function update(
  { installation }: App,
  values: { readonly scheduled_for: ReturnType<typeof toInstant>; readonly status?: 'scheduled' },
) {
  await installation.engine.write(async (tx) => {
    const rows = await tx.selectFrom('posts').select(['project_id', 'id']).orderBy('id').execute()
    for (const { project_id, id } of rows.filter((_, n) => n % 10 === 9))
      await tx.updateTable('posts').set(values).where('project_id', '=', project_id).where('id', '=', id).execute()
  })
}
