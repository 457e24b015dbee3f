import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../../values/once.ts'
import { Problem } from '../../values/problems.ts'
import { codingFor } from '../content-coding.ts'
import { codingOf } from '../request/accept-encoding.ts'
import { hasCurrent } from '../request/if-none-match.ts'
import { pathOf } from '../request/query.ts'
import { tagOf, validatorOf } from '../response/etag.ts'
import { handle, type Page, page } from '../route-config.ts'
import { openStudioFiles, type StudioFiles } from './studio-files.ts'

/**
 * The studio loads files of this service and talks to it alone. Pictures are those of posts, which may stand anywhere. No inline script or
 * style runs, so what a post contains cannot act.
 */
const studioPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https: http:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Every address is a screen of the one page; its script reads the address (docs/decisions/0061-the-studio.md). */
export const studioPages = {
  start: page('GET /studio'),
  slash: page('GET /studio/'),
  asset: page('GET /studio/assets/:name'),
  screen: { ...page('GET /studio/*'), covers: isScreen },
}

/** The studio at `/studio`. Its files are read when they are asked for. */
export function studioRoutes(app: FastifyInstance): void {
  const opened = once(openStudioFiles)

  for (const screen of [studioPages.start, studioPages.slash, studioPages.screen] as readonly Page[]) {
    handle(app, screen, async (request, reply) => {
      reply.headers({ 'content-security-policy': studioPolicy, 'cross-origin-opener-policy': 'same-origin', 'cache-control': 'no-cache' })
      return sendIndex(request, reply, await opened())
    })
  }

  handle(app, studioPages.asset, async (request, reply) => sendAsset(request, reply, await opened()))
}

/** A name with a dot is that of a file, and the session has paths of its own. */
function isScreen(path: string): boolean {
  return !path.slice(path.lastIndexOf('/')).includes('.') && !/^\/studio\/(?:session|assets)(?:\/|$)/.test(path)
}

/** The page names its files relative to its address, so that a proxy may serve everything under another path. */
async function sendIndex(request: FastifyRequest, reply: FastifyReply, studio: StudioFiles): Promise<FastifyReply> {
  const depth = pathOf(request).split('/').length - 3
  const toStudio = depth < 0 ? 'studio/' : '../'.repeat(depth)
  const index = await studio.read('index.html', 'identity')
  const bytes = Buffer.from(index.toString().replaceAll('"assets/', `"${toStudio}assets/`))
  const etag = tagOf(validatorOf(bytes.toString()), codingFor(codingOf(request.raw), bytes.length))
  reply.headers({ etag, vary: 'Accept-Encoding' })
  if (hasCurrent(request.raw, etag)) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(bytes)
}

async function sendAsset(request: FastifyRequest, reply: FastifyReply, studio: StudioFiles): Promise<FastifyReply> {
  const name = pathOf(request).replace(/^.*\/studio\//, '')
  const file = studio.files.get(name)
  if (!file) throw new Problem('not_found', 'The studio has no such file.')
  const wanted = codingOf(request.raw)
  const coding = file.codings.includes(wanted) ? wanted : 'identity'
  const etag = tagOf({ digest: file.hash }, coding)
  reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': 'public, max-age=31536000, immutable' })
  if (hasCurrent(request.raw, etag)) return reply.code(304).send()
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.type(file.type).send(await studio.read(name, coding))
}
