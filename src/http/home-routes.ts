import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { version } from '../values/version.ts'
import { handle, open } from './route-config.ts'

const Home = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    version: Type.String(),
    documentation: Type.String({ description: 'The path of the documentation.' }),
    openapi: Type.String({ description: 'The path of the OpenAPI document.' }),
  },
  { title: 'Home' },
)

export const homeOperations = {
  home: open('GET /', {
    id: 'getHome',
    tag: 'Service',
    summary: 'Describe the service',
    description: 'JSON; HTML for browsers.',
    responses: { 200: Home },
    isHtmlToo: true,
  }),
}

export function homeRoutes(app: FastifyInstance, { basePath }: { readonly basePath: string }): void {
  const home = {
    name: 'Verso',
    description: 'A self-hosted content service: posts, authors and media over HTTP.',
    version,
    documentation: `${basePath}/docs`,
    openapi: `${basePath}/openapi.json`,
  }
  const page = pageOf(home)
  handle(app, homeOperations.home, async ({ headers }, reply) => {
    reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' })
    if (!/\btext\/html\b/i.test(headers.accept ?? '')) return reply.send(home)
    return reply.header('content-security-policy', "default-src 'none'").type('text/html; charset=utf-8').send(page)
  })
}

function pageOf({
  name,
  description,
  documentation,
  openapi,
}: Readonly<Record<'name' | 'description' | 'documentation' | 'openapi', string>>): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<h1>${name}</h1>
<p>${description}</p>
<p><a href="${documentation}">Documentation</a> · <a href="${openapi}">OpenAPI document</a></p>
</html>
`
}
