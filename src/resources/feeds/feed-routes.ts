import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { sightOf } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { toBody } from '../../http/body.ts'
import { queryOf } from '../../http/request/query.ts'
import { sendDocument } from '../../http/response/document-response.ts'
import { handle, opensForEveryone } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { readNumber, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { findSite } from '../site/site-store.ts'
import { toAtom } from './atom.ts'
import { toJsonFeed } from './json-feed.ts'
import { type FeedRenderer, makeFeed, readFeedPosts } from './make-feed.ts'
import { toRss } from './rss.ts'
import { type Feed, type PublicSite, type Subject, type SubjectKind, subjectKinds } from './site-feed.ts'
import { findSubject } from './site-feed-store.ts'
import { makeSitemap, maxPosts } from './sitemap.ts'
import type { Piece } from './xml.ts'

const tag = 'Feeds'

/** A format of feeds. */
interface Format {
  readonly file: string
  readonly type: string
  readonly isXml: boolean
  /** The document in pieces: one feed can have 100 MB. */
  write(feed: Feed): readonly Piece[]
}

const rss: Format = { file: 'rss.xml', type: 'application/rss+xml', isXml: true, write: toRss }
const atom: Format = { file: 'atom.xml', type: 'application/atom+xml', isXml: true, write: toAtom }
const json: Format = { file: 'feed.json', type: 'application/feed+json', isXml: false, write: toJsonFeed }

/** Whole feeds are tested for validity elsewhere. */
const maxDocumentLength = 256 * 1024 * 1024
const xmlOf = (type: string) => Type.String({ contentMediaType: type, maxLength: maxDocumentLength })
const JsonFeed = Type.Object(
  {},
  { title: 'JsonFeed', description: 'JSON Feed 1.1.', contentMediaType: json.type, additionalProperties: true },
)

const about =
  'The newest 20 posts, with full HTML or the excerpt as the project has it (`feedContent`). Public, without a key, once the project has a `siteUrl`; 404 before.'
const ofSubject = 'Of the posts with one tag, in one category, or by one author, named by id or slug.'
/** More than there are posts. */
const maxSitemapPage = 1_000_000
const aboutSitemaps = `The URLs of the site and of all its posts. With more than ${maxPosts} posts, this is an index, and the files are at \`page=1\` and so on.`

/** The routes of feeds and their documentation. */
export const feedOperations = {
  rss: opensForEveryone('GET /v1/feeds/:project/rss.xml', {
    id: 'getRssFeed',
    tag,
    summary: 'Read the RSS feed of a project',
    description: about,
    responses: { 200: xmlOf(rss.type), 304: null },
    problems: ['not_found'],
  }),
  rssOf: opensForEveryone('GET /v1/feeds/:project/:subject/:idOrSlug/rss.xml', {
    id: 'getRssFeedOf',
    tag,
    summary: 'Read the RSS feed of a tag, category or author',
    description: `${ofSubject} ${about}`,
    responses: { 200: xmlOf(rss.type), 304: null },
    problems: ['not_found'],
  }),
  atom: opensForEveryone('GET /v1/feeds/:project/atom.xml', {
    id: 'getAtomFeed',
    tag,
    summary: 'Read the Atom feed of a project',
    description: about,
    responses: { 200: xmlOf(atom.type), 304: null },
    problems: ['not_found'],
  }),
  atomOf: opensForEveryone('GET /v1/feeds/:project/:subject/:idOrSlug/atom.xml', {
    id: 'getAtomFeedOf',
    tag,
    summary: 'Read the Atom feed of a tag, category or author',
    description: `${ofSubject} ${about}`,
    responses: { 200: xmlOf(atom.type), 304: null },
    problems: ['not_found'],
  }),
  json: opensForEveryone('GET /v1/feeds/:project/feed.json', {
    id: 'getJsonFeed',
    tag,
    summary: 'Read the JSON feed of a project',
    description: about,
    responses: { 200: JsonFeed, 304: null },
    problems: ['not_found'],
  }),
  jsonOf: opensForEveryone('GET /v1/feeds/:project/:subject/:idOrSlug/feed.json', {
    id: 'getJsonFeedOf',
    tag,
    summary: 'Read the JSON feed of a tag, category or author',
    description: `${ofSubject} ${about}`,
    responses: { 200: JsonFeed, 304: null },
    problems: ['not_found'],
  }),
  sitemap: opensForEveryone('GET /v1/feeds/:project/sitemap.xml', {
    id: 'getSitemap',
    tag,
    summary: 'Read the sitemap of a project',
    description: aboutSitemaps,
    numbers: { page: sitemapPage() },
    responses: { 200: xmlOf('application/xml'), 304: null },
    problems: ['not_found'],
  }),
  sitemapOf: opensForEveryone('GET /v1/feeds/:project/:subject/:idOrSlug/sitemap.xml', {
    id: 'getSitemapOf',
    tag,
    summary: 'Read the sitemap of a tag, category or author',
    description: `${ofSubject} ${aboutSitemaps}`,
    numbers: { page: sitemapPage() },
    responses: { 200: xmlOf('application/xml'), 304: null },
    problems: ['not_found'],
  }),
}

function sitemapPage() {
  return { description: 'The number of a file of the index.', minimum: 1, maximum: maxSitemapPage, default: 1 }
}

/** What feeds need of the program. */
export interface FeedParts {
  readonly renderer: FeedRenderer
}

/** `/v1/feeds`. */
export function feedRoutes(app: FastifyInstance, service: Service, parts: FeedParts): void {
  const { rss: ofProject, rssOf, atom: atomOfProject, atomOf, json: jsonOfProject, jsonOf, sitemap, sitemapOf } = feedOperations
  handle(app, ofProject, feedHandler(service, parts, rss))
  handle(app, rssOf, feedHandler(service, parts, rss))
  handle(app, atomOfProject, feedHandler(service, parts, atom))
  handle(app, atomOf, feedHandler(service, parts, atom))
  handle(app, jsonOfProject, feedHandler(service, parts, json))
  handle(app, jsonOf, feedHandler(service, parts, json))
  handle(app, sitemap, sitemapHandler(service))
  handle(app, sitemapOf, sitemapHandler(service))
}

interface Params {
  readonly project: string
  readonly subject?: string
  readonly idOrSlug?: string
}

type Handler = (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => Promise<FastifyReply>

function feedHandler(service: Service, { renderer }: FeedParts, { file, type, isXml, write }: Format): Handler {
  return async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const { projectId } = request.authenticated.caller
    const find = finder(request, file, service.publicUrl())
    return sendDocument(service, request, reply, {
      type,
      async read(reads) {
        // Other posts are found by an index in order.
        const read = request.params.subject === 'tags' ? reads.long : reads.short
        const { value, revision } = await read(async (db) => {
          const found = await find(db)
          return { found, stored: found && (await readFeedPosts(db, reads.sight, found)) }
        })
        if (!value.found || !value.stored) throw notFound('feed')
        const { feed, isLate } = await makeFeed({ projectId, isXml, ...value.found }, value.stored, renderer)
        return { value: await toBody(write(feed)), revision, ...(isLate && { isTransient: true }) }
      },
    })
  }
}

function sitemapHandler(service: Service): Handler {
  return async (request, reply) => {
    const query = queryOf(request)
    refuseOtherParameters(query, ['page'])
    const page = readNumber(query, 'page', maxSitemapPage)
    const find = finder(request, 'sitemap.xml', service.publicUrl())
    return sendDocument(service, request, reply, {
      type: 'application/xml',
      async read(reads) {
        const { value, revision } = await reads.long(async (db) => {
          const found = await find(db)
          return { bytes: found && (await makeSitemap({ db, sight: reads.sight, page, most: maxPosts, ...found })) }
        })
        if (!value.bytes) throw notFound('feed')
        return { value: value.bytes, revision }
      },
    })
  }
}

/** Finds the site and the subject of a request; nothing if one of them is not there for everyone. */
function finder({ params, authenticated }: FastifyRequest<{ Params: Params }>, file: string, publicUrl: string) {
  const { subject: kindName, idOrSlug } = params
  const kind = subjectKinds.find((each) => each === kindName)
  return async (db: Db): Promise<Found | undefined> => {
    const sight = sightOf(authenticated.caller)
    const { slug, siteUrl, ...settings } = await findSite(db, sight.projectId)
    const subject = kind && idOrSlug !== undefined ? await findSubject(db, sight, kind, idOrSlug) : undefined
    if (siteUrl === null || (kindName !== undefined && !(kind && subject))) return undefined
    const folder = settings.feedUrl === null ? `${publicUrl}/v1/feeds/${slug}` : new URL(settings.feedUrl).href.replace(/\/$/, '')
    const part = kind === undefined ? '' : `/${kind}/${idOrSlug}`
    return {
      site: { ...settings, siteUrl },
      subject: kind && subject && { ...subject, kind },
      selfUrl: `${folder}${part}/${file}`,
    }
  }
}

interface Found {
  readonly site: PublicSite
  readonly subject: (Subject & { readonly kind: SubjectKind }) | undefined
  readonly selfUrl: string
}
