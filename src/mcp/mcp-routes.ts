import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { handle, type Page } from '../http/route-config.ts'
import type { Service } from '../http/route-services.ts'
import { Problem } from '../values/problems.ts'
import { type Agent, clientName } from './agent.ts'
import type { AgentCalls } from './agent-calls.ts'
import { type Api, requestOf } from './api.ts'

/** Agents talk to it by streamable HTTP. It is no part of the API, so the OpenAPI document does not have it. */
export const mcpPage: Page<'POST /mcp'> = { endpoint: 'POST /mcp', access: 'key', body: 'required', countedAs: 'reads' }

/** The most messages in one request, which clients of older revisions may send. */
const maxBatch = 20

/** The Model Context Protocol at `/mcp` (docs/decisions/0065-agents.md). Its packages are loaded by the first request. */
export function mcpRoutes(app: FastifyInstance, service: Pick<Service, 'publicUrl'>, calls: AgentCalls): void {
  handle(app, mcpPage, async (request, reply) => {
    if (!isFromHere(request.headers.origin, service.publicUrl())) return reply.code(403).send(foreignOrigin)
    if (Array.isArray(request.body)) requireBatch(request.body)
    const { response, text } = await calls.run(async () => {
      const handler = await handlerFor(app, service, request)
      const response = await handler.fetch(webRequestOf(request), { parsedBody: request.body })
      // The tools have done their work when the text is there.
      return { response, text: await response.text() }
    })
    return sendResponse(reply, response, { text, client: clientIn(request.body) })
  })
}

/**
 * A page elsewhere whose host name leads here (DNS rebinding) still says its own origin. Nobody can read what it would need, a token; the
 * protocol wants 403 all the same. Programs send no Origin.
 */
function isFromHere(origin: string | undefined, publicUrl: string): boolean {
  return (
    origin === undefined || origin === new URL(publicUrl).origin || /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin)
  )
}

const foreignOrigin = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Pages of another origin may not use this.' } }

/** 400 for too many messages, and for two requests with one id: only one of them would be answered. */
function requireBatch(messages: readonly unknown[]): void {
  if (messages.length > maxBatch) throw new Problem('malformed_request', `A request has at most ${maxBatch} messages.`)
  const ids = messages.flatMap((message) => {
    const { id } = (message ?? {}) as { readonly id?: unknown }
    return id === undefined ? [] : [JSON.stringify(id)]
  })
  if (new Set(ids).size < ids.length) throw new Problem('malformed_request', 'Two messages of the batch have the same id.')
}

/** A handler for one request: the next may come to another node. */
async function handlerFor(app: FastifyInstance, service: Pick<Service, 'publicUrl'>, request: FastifyRequest): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { agentServer }] = await Promise.all([import('@modelcontextprotocol/server'), import('./agent-server.ts')])
  const { actor, scopes } = request.authenticated.caller
  const agentFor = (client = clientOfSession(request)): Agent => ({ actor, scopes, api: inProcess(app, service, request, client) })
  // Nothing is announced, so that nobody has to keep a connection open.
  return createMcpHandler(() => agentServer(agentFor, (error) => request.log.error({ err: error }, 'a tool of an agent failed')), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
  })
}

/** Requests to `/v1` of this very service, with the key of the request that asks: they are checked, limited and logged like any other. */
function inProcess(
  app: FastifyInstance,
  { publicUrl }: Pick<Service, 'publicUrl'>,
  request: FastifyRequest,
  client: string | undefined,
): Api {
  return {
    url: publicUrl(),
    async ask(method, path, asked = {}) {
      const { path: url, headers, body } = requestOf(path, asked)
      const {
        statusCode,
        headers: told,
        body: text,
      } = await app.inject({
        method,
        url,
        remoteAddress: request.ip,
        headers: {
          ...headers,
          authorization: request.headers.authorization,
          'x-request-id': request.id,
          ...(client !== undefined && { 'verso-client': client }),
        },
        ...(body !== undefined && { payload: body }),
      })
      return { status: statusCode, body: statusCode === 301 ? told.location : text === '' ? undefined : JSON.parse(text) }
    },
  }
}

function webRequestOf({ headers }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []))
  return new Request('http://verso/mcp', { method: 'POST', headers: given.filter(([name]) => name !== 'authorization'), body: '{}' })
}

interface Said {
  readonly text: string
  readonly client: string | undefined
}

function sendResponse(reply: FastifyReply, response: Response, { text, client }: Said): FastifyReply {
  const type = response.headers.get('content-type')
  reply.code(response.status).header('cache-control', 'no-store')
  if (client !== undefined && response.ok) reply.header(sessionHeader, sessionPrefix + Buffer.from(client).toString('base64url'))
  return type === null ? reply.send() : reply.type(type).send(text)
}

const sessionHeader = 'mcp-session-id'
const sessionPrefix = 'client.'

/** A client of the revisions of 2025 says its name once, and repeats the session id that it gets then: that is its name. */
function clientOfSession({ headers }: FastifyRequest): string | undefined {
  const id = headers[sessionHeader]
  if (typeof id !== 'string' || !id.startsWith(sessionPrefix)) return undefined
  return clientName(Buffer.from(id.slice(sessionPrefix.length), 'base64url').toString())
}

/** The name in the first message of such a client. */
function clientIn(body: unknown): string | undefined {
  const message = body as {
    readonly method?: unknown
    readonly params?: { readonly clientInfo?: { readonly name?: unknown; readonly version?: unknown } }
  }
  if (message?.method !== 'initialize') return undefined
  const { name, version } = message.params?.clientInfo ?? {}
  return clientName(name, version)
}
