import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Authenticator } from '../actions/caller.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../database/engine.ts'
import { ResponseCache } from '../http/cache/response-cache.ts'
import { takeLastArrivals } from '../http/connection/last-arrivals.ts'
import { addFailures } from '../http/limits/failed-authentication-store.ts'
import { openRateLimiter } from '../http/limits/rate-limiter.ts'
import { leaseRequests, type Wanted } from '../http/limits/rate-window-store.ts'
import { requireSameRights } from '../http/request/authentication.ts'
import type { Service } from '../http/route-services.ts'
import { createServer } from '../http/server.ts'
import { openAgentCalls } from '../mcp/agent-calls.ts'
import { openSiteAuthenticator } from '../resources/feeds/site-authenticator.ts'
import { findShownMedia } from '../resources/media/shown-media-store.ts'
import { findSessionGrants, lookUpSessionToken, lookUpSessionTokens } from '../resources/people/sessions/session-store.ts'
import { findFirstDue } from '../resources/posts/post-store.ts'
import { openRenderer } from '../resources/posts/rendering/renderer.ts'
import { openPreviewAuthenticator } from '../resources/preview-tokens/preview-authenticator.ts'
import { openAuthenticator, type TokenKind } from '../resources/projects/keys/authenticator.ts'
import { type KeyUse, openKeyUse } from '../resources/projects/keys/key-use.ts'
import { findAnyProject } from '../resources/projects/project-store.ts'
import { countOpen } from '../resources/webhooks/dispatch/delivery-queue-store.ts'
import { type Observations, observeAll } from '../values/observations.ts'
import { Problem } from '../values/problems.ts'
import { version } from '../values/version.ts'
import type { Config } from './config.ts'
import { type Installation, openInstallation } from './installation.ts'
import { dispatching, type Job, jobsOf, startJobs } from './jobs.ts'
import { logObservations } from './log-observations.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { WebhookQueue } from './metrics/webhook-metrics.ts'
import { addRoutes } from './routes.ts'
import { silentUpgrade, type UpgradeSteps } from './upgrade.ts'
import { requireSecret, webhookSettings } from './webhook-settings.ts'

/** A running Verso. */
export interface App {
  readonly installation: Installation
  /** Where it listens, such as http://127.0.0.1:4400. */
  readonly url: string
  readonly jobs: readonly Job[]
  /** Resolves if the disk fails so that only a new start can go on. */
  readonly failed: Promise<void>
  /** Reports not ready, waits, finishes open requests and closes. No accepted request is lost. */
  stop(): Promise<void>
}

interface AppParts {
  readonly config: Config
  readonly context: Context
  readonly log: FastifyBaseLogger
  /** Called for every statement, so that tests can count them. */
  readonly onStatement?: Observations['statement']
  readonly steps?: UpgradeSteps
}

const sessionTokens: TokenKind = {
  prefixes: ['verso_sess_'],
  find: lookUpSessionToken,
  findAll: lookUpSessionTokens,
  findGrants: findSessionGrants,
}

/** Some hundreds of lists with their content, or many thousands of short responses. */
const responseCacheBytes = 32 * 1024 * 1024

/** Shorter than the health check timeouts of load balancers, two or three seconds. */
const readyTimeoutMs = 1_500

/**
 * Connections that wait to be accepted. The system makes the rest try again a second later, or resets them; Node's 511 are too few where a
 * thousand clients come at once. Linux lowers it to `net.core.somaxconn`.
 */
const maxWaiting = 4_096

/** Opens the database and serves it. */
export async function startApp({ config, context, log, onStatement = () => undefined, steps = silentUpgrade }: AppParts): Promise<App> {
  requireSecret(config)
  const state = { stopping: false, publishing: true, countingTogether: true }
  const responses = new ResponseCache(responseCacheBytes)
  const metrics = config.metricsToken === undefined ? undefined : await metricsOf(responses, () => installation)
  let fail: () => void = () => undefined
  const failed = new Promise<void>((resolve) => {
    fail = resolve
  })
  const watchers = [
    logObservations(log, state),
    { flushFailed: () => fail() },
    { statement: onStatement },
    ...(metrics ? [metrics.observations] : []),
  ]
  const observations = observeAll(watchers)
  const installation = await openInstallation({ database: config.database, context, observations, steps })
  await beginServing(installation, log)
  const webhooks = await orClose(installation, webhookSettings(installation, config))
  const keyUse = openKeyUse()
  const authenticator = authenticatorOf(installation, keyUse)
  const renderer = openRenderer(observations)
  const { durability } = installation.engine
  const isStopping = () => state.stopping
  const { lease, shareFailures } = countingTogether(installation.engine)
  const nowMs = () => context.now().getTime()
  const limiter = openRateLimiter({ limits: config.rateLimits, observations, nowMs, ...(lease && { lease }) })
  const server = createServer({
    context,
    authenticator,
    durability,
    responses,
    log,
    observations,
    limiter,
    shareFailures,
    trustProxy: config.trustProxy,
    sendLimits: { timeoutSeconds: config.sendTimeoutSeconds, maxBytes: config.sendBufferBytes },
    isStopping,
  })
  const url = () => urlOf(server.server.address() as AddressInfo)
  const service = serviceOf(installation, { config, authenticator, responses, url })
  const agentCalls = openAgentCalls()
  addRoutes(server, {
    service,
    health: { state, database: () => isDatabaseReady(installation) },
    publicUrl: config.publicUrl,
    metrics: metrics && config.metricsToken !== undefined ? { ...metrics, token: config.metricsToken } : undefined,
    webhooks,
    rendering: { renderer, findMedia: findShownMedia },
    feeds: { renderer },
    agentCalls: config.mcp ? agentCalls : undefined,
    studio: config.studio ? { service, publicUrl: config.publicUrl, random: context.random, now: installation.engine.now } : undefined,
  })
  const lastArrivals = takeLastArrivals(server)
  const jobs = jobsOf(installation, keyUse, dispatching(installation, webhooks))
  await orClose(installation, server.listen({ host: config.host, port: config.port, backlog: maxWaiting }))
  const stopJobs = startJobs(installation, jobs)
  return {
    installation,
    url: url(),
    jobs,
    failed,
    async stop() {
      state.stopping = true
      installation.watch.stop()
      await new Promise((resolve) => setTimeout(resolve, config.stopWaitSeconds * 1_000))
      await lastArrivals.take()
      // Webhooks end beside the last requests, so that their times do not add up.
      for (const job of jobs) job.stop?.()
      await agentCalls.end()
      await server.close()
      await lastArrivals.ended()
      await renderer.close()
      await stopJobs()
      await installation.close()
      metrics?.close()
    },
  }
}

/** Closes the installation if this step of the start fails. */
async function orClose<T>(installation: Installation, step: Promise<T>): Promise<T> {
  return step.catch(async (error: unknown) => {
    await installation.close()
    throw error
  })
}

/** Authenticates by keys, session tokens and preview tokens, and the readers of feeds by nothing. */
function authenticatorOf(installation: Installation, keyUse: KeyUse): Authenticator {
  return {
    ...openAuthenticator({ ...installation, noteUse: keyUse.note, sessionTokens }),
    authenticatePreview: openPreviewAuthenticator(installation),
    authenticateSite: openSiteAuthenticator(installation),
  }
}

interface ServiceParts {
  readonly config: Config
  readonly authenticator: Authenticator
  readonly responses: ResponseCache
  /** Where it listens. */
  url(): string
}

function serviceOf(installation: Installation, { config, authenticator, responses, url }: ServiceParts): Service {
  return {
    db: installation.db,
    longRead: installation.engine.longRead,
    perform: installation.perform,
    watch: installation.watch,
    requireSameRights: (request) => requireSameRights(authenticator, request),
    durability: installation.engine.durability,
    epoch: installation.epoch,
    basePath: withoutLastSlash(config.publicUrl?.pathname ?? ''),
    publicUrl: () => (config.publicUrl ? withoutLastSlash(config.publicUrl.href) : url()),
    sharedMaxAgeSeconds: config.sharedMaxAgeSeconds,
    responses,
  }
}

function withoutLastSlash(text: string): string {
  return text.replace(/(?<!\/)\/+$/, '')
}

/** What nodes that share a database count together: the requests of a key, and the failed authentications of an address. */
function countingTogether({ db, now, write }: Engine) {
  if (!db.engine.skipsLockedRows) return {}
  return {
    lease: (wanted: Wanted) => write((tx) => leaseRequests(tx, wanted)),
    shareFailures: async (address: string, failures: number) => {
      const seen = { address, failures, now: await now() }
      return write((tx) => addFailures(tx, seen))
    },
  }
}

/** Marks the files as in use, and warns of those that others can read. */
async function beginServing({ engine }: Installation, log: FastifyBaseLogger): Promise<void> {
  // Asked first: from then on, this service uses the files.
  const missing = engine.missingLog?.()
  try {
    await engine.serving?.begin()
  } catch (error) {
    // Reads go on where the disk is full.
    if (!(error instanceof Problem && error.code === 'storage_full')) {
      await engine.close()
      throw error
    }
    log.warn(error.detail)
  }
  for (const warning of [...(missing === undefined ? [] : [missing]), ...(engine.serving?.warnings() ?? [])]) log.warn(warning)
}

async function metricsOf(responses: ResponseCache, installation: () => Installation): Promise<Metrics> {
  const { openMetrics } = await import('./metrics/metrics.ts')
  return openMetrics({
    version,
    responseCache: () => responses.counts,
    duePostLagMs: () => duePostLagMs(installation()),
    webhookQueue: () => webhookQueue(installation()),
  })
}

async function duePostLagMs({ db, engine }: Installation): Promise<number> {
  const due = await findFirstDue(db)
  return due === undefined ? 0 : Math.max(0, Date.parse(await engine.now()) - Date.parse(due))
}

async function webhookQueue({ db, engine }: Installation): Promise<WebhookQueue> {
  const { deliveries, oldest } = await countOpen(db)
  return { deliveries, oldestMs: oldest === undefined ? 0 : Math.max(0, Date.parse(await engine.now()) - Date.parse(oldest)) }
}

/** Whether the database responds within the timeout. */
async function isDatabaseReady({ db, engine }: Installation): Promise<boolean> {
  const probe = findAnyProject(db).then(() => engine.durability?.flush())
  const isReady = probe.then(
    () => true,
    () => false,
  )
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, readyTimeoutMs, false).unref())
  return Promise.race([isReady, timeout])
}

function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
