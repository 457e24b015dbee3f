import { describeApi } from '../../src/app/routes.ts'
import examples from '../../src/http/openapi/examples.json' with { type: 'json' }

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string
}

const bodies: Readonly<Record<string, { readonly path: string; readonly body?: unknown }>> = examples.operations

/** A request for each operation of the OpenAPI document, to things that do not exist. */
export function everyRoute(): readonly Sent[] {
  return Object.entries(describeApi().paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      if (method === 'parameters' || typeof operation !== 'object') return []
      const path = template.replace(/\{\w+\}/g, 'none')
      const { operationId } = operation as { readonly operationId?: string }
      const body = bodies[operationId ?? '']?.body
      return [{ method: method.toUpperCase(), path, ...(body !== undefined && { body: JSON.stringify(body) }) }]
    }),
  )
}

/** What a client could do wrong with a secret: put it where none belongs. */
export function misplaced(secret: string): readonly Sent[] {
  const text = encodeURIComponent(secret)
  return [
    { method: 'GET', path: `/v1/posts?key=${text}` },
    { method: 'GET', path: `/v1/posts?search=${text}` },
    { method: 'GET', path: `/v1/posts?cursor=${text}` },
    { method: 'GET', path: `/v1/posts/none?preview_token=${text}` },
    { method: 'GET', path: `/v1/posts/${text}` },
    { method: 'GET', path: `/${text}` },
    { method: text.slice(0, 20).replace(/\W/g, ''), path: '/v1/posts' },
    { method: 'POST', path: '/v1/posts', body: `{"title": "${secret}` },
    { method: 'POST', path: '/v1/posts', body: JSON.stringify({ [secret]: secret, title: 7 }) },
    { method: 'POST', path: '/v1/posts?dry_run=true', body: JSON.stringify({ title: secret }) },
  ]
}
