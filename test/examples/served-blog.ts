import { join } from 'node:path'
import { expect } from 'vitest'
import { serve, temporaryFolder, verso } from '../harness/program.ts'

interface Answer {
  readonly token: string
  readonly pagination: { readonly total: number }
  readonly data: readonly { readonly slug: string }[]
}

/** A service with an imported blog, and what a site needs to read it. */
export async function serveBlog(blog: string) {
  const database = `sqlite:${join(temporaryFolder(), 'verso.db')}`
  const on = (...args: string[]) => verso([...args, '--database', database])
  await on('project', 'create', 'default', '--name', 'The harbour log', '--site-url', 'https://example.com', '--permalink', '/posts/{slug}')
  const imported = await on('import', blog)
  expect(imported.stderr).not.toContain('error')
  const keyOf = async (kind: string) => (await on('key', 'create', '--kind', kind, '--name', 'site')).stdout.trim()
  const [key, secret] = [await keyOf('public'), await keyOf('secret')]
  const service = await serve(database)
  const request = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const response = await fetch(service.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    return (await response.json()) as Answer
  }
  /** The requests that the service has answered since the last call. */
  let told = 0
  const requests = async () => {
    // The last line of the log is written after its answer.
    await new Promise((resolved) => setTimeout(resolved, 300))
    const lines = `${service.stdout()}\n${service.stderr()}`.split('\n').filter((line) => line.includes('"msg":"request"'))
    const news = lines.slice(told).map((line) => (JSON.parse(line) as { readonly route: string }).route)
    told = lines.length
    return news
  }
  return { url: service.url, key, request, requests }
}
