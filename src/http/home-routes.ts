import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { text } from '../actions/validation/schema-types.ts'
import { version } from '../values/version.ts'
import { handle, open } from './route-config.ts'

const maxPathLength = 2_048

const Home = Type.Object(
  {
    name: text(100),
    description: text(300),
    version: text(50),
    documentation: text(maxPathLength, { description: 'The path of the documentation.' }),
    openapi: text(maxPathLength, { description: 'The path of the OpenAPI document.' }),
  },
  { title: 'Home' },
)

export const homeOperations = {
  home: open('GET /', {
    id: 'getHome',
    tag: 'Service',
    summary: 'Describe the service',
    description: 'Name, version and where the documentation is: JSON, or HTML for browsers.',
    responses: { 200: Home },
    isHtmlToo: true,
  }),
}

export function homeRoutes(app: FastifyInstance, { basePath, studio }: { readonly basePath: string; readonly studio: boolean }): void {
  const home = {
    name: 'Verso',
    description: 'A self-hosted content service: posts, authors and media over HTTP.',
    version,
    documentation: `${basePath}/docs`,
    openapi: `${basePath}/openapi.json`,
  }
  const page = pageOf(home, studio ? `<a href="${basePath}/studio">Studio</a> · ` : '')
  handle(app, homeOperations.home, async ({ headers }, reply) => {
    reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' })
    if (!/\btext\/html\b/i.test(headers.accept ?? '')) return reply.send(home)
    return reply.header('content-security-policy', "default-src 'none'").type('text/html; charset=utf-8').send(page)
  })
}

function pageOf(
  { name, description, documentation, openapi }: Readonly<Record<'name' | 'description' | 'documentation' | 'openapi', string>>,
  studio: string,
): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<h1>${name}</h1>
<p>${description}</p>
<p>${studio}<a href="${documentation}">Documentation</a> · <a href="${openapi}">OpenAPI document</a></p>
</html>
`
}
