import type { Action } from '../actions/action.ts'
import { operator } from '../actions/caller.ts'
import { pruneResponses } from '../actions/idempotency/idempotent-action.ts'
import { deleteEndedFailures } from '../http/limits/failed-authentication-store.ts'
import { pruneChanges } from '../resources/changes/change-actions.ts'
import { purgeMedia } from '../resources/media/media-actions.ts'
import { signInCaller } from '../resources/people/person.ts'
import { pruneSessions } from '../resources/people/sessions/session-actions.ts'
import { listProjectsWithDuePosts } from '../resources/posts/post-store.ts'
import { purgeTrash } from '../resources/posts/post-trash-actions.ts'
import { noteKeyUse } from '../resources/projects/keys/key-actions.ts'
import type { KeyUse } from '../resources/projects/keys/key-use.ts'
import { listProjects } from '../resources/projects/project-store.ts'
import { prune } from '../resources/webhooks/delivery-actions.ts'
import { guardAddresses } from '../resources/webhooks/dispatch/address-guard.ts'
import { type Dispatcher, type DispatcherParts, openDispatcher } from '../resources/webhooks/dispatch/dispatcher.ts'
import { openOutbound } from '../resources/webhooks/dispatch/http-client.ts'
import type { WebhookSettings } from '../resources/webhooks/webhook-actions.ts'
import { startStopwatch } from '../values/stopwatch.ts'
import type { Installation } from './installation.ts'
import { findResource } from './resource-registry.ts'

/** Background work. A run does everything that is due; what fails waits for the next run. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Runs once more when the service stops. */
  readonly atTheEnd?: true
  /** A run begins on time even if the one before has not ended. */
  readonly overlaps?: true
  /** The service stops: begin nothing new. */
  stop?(): void
  runOnce(): Promise<void>
}

/** How many expired resources one transaction erases. */
const purgeBatch = 100

/** How late long polls learn of what another process wrote. */
const watchEveryMs = 300

/** How long a webhook that is being sent may take when the service stops. After that it is aborted, and sent again after the next start. */
const abortAfterMs = 5_000

export function jobsOf(installation: Installation, keyUse: KeyUse, dispatcher: Dispatcher): readonly Job[] {
  return [
    { name: 'settle', everyMs: 1_000, runOnce: () => publishDueEverywhere(installation) },
    { name: 'purge', everyMs: 3_600_000, runOnce: () => purgeEverywhere(installation, purgeTrash) },
    { name: 'purge-media', everyMs: 3_600_000, runOnce: () => purgeEverywhere(installation, purgeMedia) },
    { name: 'prune-answers', everyMs: 3_600_000, runOnce: () => purgeEverywhere(installation, pruneResponses) },
    { name: 'prune-changes', everyMs: 3_600_000, runOnce: () => purgeEverywhere(installation, pruneChanges) },
    { name: 'prune-sessions', everyMs: 3_600_000, runOnce: () => pruneOldSessions(installation) },
    { name: 'prune-failures', everyMs: 3_600_000, runOnce: () => pruneFailures(installation) },
    { name: 'watch', everyMs: watchEveryMs, runOnce: () => installation.watch.poll() },
    { name: 'webhooks', everyMs: 1_000, overlaps: true, runOnce: dispatcher.runOnce, stop: () => dispatcher.stop(abortAfterMs) },
    { name: 'prune-deliveries', everyMs: 3_600_000, runOnce: () => purgeEverywhere(installation, prune) },
    { name: 'key-use', everyMs: 60_000, atTheEnd: true, runOnce: () => writeKeyUse(installation, keyUse) },
  ]
}

/** Starts the jobs. The function returned stops them: it waits for runs under way and for last runs. */
export function startJobs(installation: Installation, jobs: readonly Job[]): () => Promise<void> {
  const run = async ({ name, runOnce }: Job) => {
    const elapsed = startStopwatch()
    try {
      await runOnce()
    } catch (error) {
      installation.observations.jobFailed(name, error)
    }
    installation.observations.jobTook(name, elapsed())
  }
  for (const { name } of jobs) installation.observations.jobStarted(name)
  const overlapping = new Set<Promise<void>>()
  const begin = async (job: Job) => {
    const running = run(job).finally(() => overlapping.delete(running))
    overlapping.add(running)
  }
  const running = jobs.map((job) => installation.context.repeat(job.everyMs, () => (job.overlaps ? begin(job) : run(job))))
  return async () => {
    for (const job of jobs) job.stop?.()
    await Promise.all(running.map((each) => each.stop()))
    await Promise.all(overlapping)
    for (const job of jobs.filter(({ atTheEnd }) => atTheEnd)) await run(job)
  }
}

/**
 * Publishes due posts of projects without requests, and waits for none of them that does not move. Where that has failed, it is tried again after
 * the others, even if nothing is due any more: another node may have published, and only an attempt that succeeds ends the failure.
 */
async function publishDueEverywhere({ db, engine, retryDue, failing }: Installation): Promise<void> {
  const now = await engine.now()
  const due = await listProjectsWithDuePosts(db, now)
  for (const projectId of [...due.filter((id) => !failing.has(id)), ...failing]) await retryDue(operator(projectId, 'schedule', now))
}

/** Erases what has expired, one batch per transaction. */
async function purgeEverywhere({ db, perform, engine }: Installation, purge: Action<{ readonly most: number }, number>): Promise<void> {
  const now = await engine.now()
  const failures: unknown[] = []
  for (const { id } of await listProjects(db)) {
    const caller = operator(id, 'schedule', now)
    try {
      while ((await perform(purge, caller, { most: purgeBatch })) === purgeBatch);
    } catch (error) {
      // One project, whose part of the database may be away, stops no others.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Deletes sessions, links and failed sign-ins that have expired. */
async function pruneOldSessions({ perform, engine }: Installation): Promise<void> {
  await perform(pruneSessions, signInCaller(await engine.now()), null)
}

/** Deletes what was counted of failed authentications in minutes that are over. */
async function pruneFailures({ engine }: Installation): Promise<void> {
  const now = await engine.now()
  await engine.write((tx) => deleteEndedFailures(tx, now))
}

async function writeKeyUse({ db, perform, engine }: Installation, keyUse: KeyUse): Promise<void> {
  const uses = keyUse.take()
  try {
    const [project] = uses.length > 0 ? await listProjects(db) : []
    if (project) await perform(noteKeyUse, operator(project.id, 'schedule', await engine.now()), uses)
  } catch (error) {
    keyUse.giveBack(uses)
    throw error
  }
}

/** Builds the dispatcher of webhooks. */
export function dispatching({ db, engine, perform, context, observations }: Installation, { allow, keys }: WebhookSettings): Dispatcher {
  const clock = () => context.now().getTime()
  const outbound = openOutbound({ guard: guardAddresses(allow), clock })
  const findKept: DispatcherParts['findResource'] = async (projectId, id) => {
    const resource = await findResource(db, projectId, id)
    await engine.durability?.flush()
    return resource
  }
  return openDispatcher({
    db,
    engine,
    perform,
    keys,
    observations,
    outbound,
    clock,
    random: context.random,
    repeat: context.repeat,
    findResource: findKept,
  })
}
