import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { addRoutes } from './all-routes.ts'
import { type Job, jobsOf, startJobs } from './background.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { type Core, openCore } from './core.ts'
import { dispatching } from './dispatching.ts'
import { AnswerCache } from './http/answer-cache.ts'
import { KnownTotals } from './http/known-totals.ts'
import { createServer } from './http/server.ts'
import type { Service } from './http/service.ts'
import { rememberKeyUse } from './jobs/key-use.ts'
import type { Observations } from './observations.ts'
import { previewVisitsOf } from './previews/preview-visits.ts'
import { listProjects } from './projects/project-store.ts'
import { visitsOf } from './projects/visits.ts'

/** A running Verso. */
export interface App {
  readonly core: Core
  /** Where it listens, such as http://127.0.0.1:4400. */
  readonly url: string
  readonly jobs: readonly Job[]
  /** Not ready, wait, drain, close: nothing that was accepted is lost. */
  stop(): Promise<void>
}

export interface AppParts {
  readonly config: Config
  readonly context: Context
  readonly log: FastifyBaseLogger
  /** Told of every statement, for those who count. */
  readonly onStatement?: Observations['statement']
}

/** Finished answers that are kept: some hundreds of lists with their content, or many thousands of short ones. */
const answerCacheBytes = 32 * 1024 * 1024
/** As many totals as are remembered; each has some hundred bytes. */
const maxKnownTotals = 10_000

/** Load balancers that ask whether the service is ready wait two or three seconds. */
const answerTimeoutMs = 1_500

/** Opens the database and serves it. */
export async function startApp({ config, context, log, onStatement = () => undefined }: AppParts): Promise<App> {
  const state = { stopping: false, settling: true }
  const core = await openCore({ database: config.database, context, observations: observing(log, state, onStatement) })
  const keyUse = rememberKeyUse()
  const visits = {
    ...visitsOf({ engine: core.engine, settle: core.settle, noteUse: keyUse.note }),
    ofPreview: previewVisitsOf(core),
  }
  const answers = new AnswerCache(answerCacheBytes)
  const server = createServer({ context, visits, answers, log, trustProxy: config.trustProxy, isStopping: () => state.stopping })
  const service: Service = {
    db: core.db,
    perform: core.perform,
    watch: core.watch,
    epoch: core.epoch,
    basePath: config.publicUrl?.pathname.replace(/\/+$/, '') ?? '',
    sharedMaxAgeSeconds: config.sharedMaxAgeSeconds,
    answers,
    totals: new KnownTotals(maxKnownTotals),
  }
  addRoutes(server, {
    service,
    health: { state, database: () => databaseAnswers(core) },
    publicUrl: config.publicUrl,
    webhookAllow: config.webhookAllow,
  })
  const jobs = jobsOf(core, keyUse, dispatching(core, config))
  await server.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await core.close()
    throw error
  })
  const stopJobs = startJobs(core, jobs)
  return {
    core,
    url: urlOf(server.server.address() as AddressInfo),
    jobs,
    async stop() {
      state.stopping = true
      core.watch.stop()
      await new Promise((resolve) => setTimeout(resolve, config.stopWaitSeconds * 1_000))
      await server.close()
      await stopJobs()
      await core.close()
    },
  }
}

function observing(log: FastifyBaseLogger, state: { settling: boolean }, statement: Observations['statement']): Observations {
  return {
    statement,
    settlingFailed(error) {
      state.settling = false
      log.error({ err: error }, 'due posts could not be published; reads go on without them')
    },
    settlingWorked() {
      state.settling = true
    },
    jobFailed: (job, error) => log.error({ err: error, job }, 'a background job failed; it is tried again'),
  }
}

/** Whether the database answers, and in time for whoever watches. */
async function databaseAnswers({ db }: Core): Promise<boolean> {
  const answered = listProjects(db).then(
    () => true,
    () => false,
  )
  const inVain = new Promise<boolean>((resolve) => setTimeout(resolve, answerTimeoutMs, false).unref())
  return Promise.race([answered, inVain])
}

function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
