import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeApi } from '../../src/app/routes.ts'
import { installed, run } from '../examples/registry-tools.ts'

/** What a program of somebody else does with types that a generator makes of the document. */
const program = `
import createClient from 'openapi-fetch'
import type { paths, webhooks } from './api.js'

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:4400' })

const list = await client.GET('/v1/posts', { params: { query: { tag: ['sea'], sort: ['-published_at'], limit: 10 } } })
for (const { title, tags, seo } of list.data?.data ?? []) console.log(title.length, tags.length, seo.title?.length)

const changes = await client.GET('/v1/changes')
for (const change of changes.data?.data ?? [])
  if (change.action === 'delete') console.log(change.id.length)
  else if (change.type === 'post') console.log(change.data.content.length)
  else if (change.type === 'media') console.log(change.data.url.length)

const batch = await client.POST('/v1/posts/batch', { body: { operations: [{ op: 'create', body: { title: 'One' } }] } })
for (const { post, problem } of batch.data?.results ?? [])
  if (problem?.code === 'slug_conflict') console.log(problem.suggestion?.length, problem.errors.length)
  // @ts-expect-error: not one of the codes
  else if (problem?.code === 'no_such_code') console.log(post?.title.length)

const one = await client.GET('/v1/posts/{idOrSlug}', { params: { path: { idOrSlug: 'one' } } })
if (one.error?.code === 'not_found') console.log(one.error.detail.length)

type Event = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json']
export const received = (event: Event) =>
  event.type === 'post.published' && 'slug' in event.data ? event.data.slug.length : event.type === 'project.changed'
`

it('openapi-typescript makes types of /openapi.json with which a program compiles', { timeout: 300_000 }, async () => {
  const folder = await installed('generated-types', ['openapi-typescript@7', 'openapi-fetch@0', 'typescript@5'])
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(describeApi()))
  writeFileSync(join(folder, 'program.mts'), program)
  const bin = join(folder, 'node_modules/.bin')
  await run(join(bin, 'openapi-typescript'), ['openapi.json', '-o', 'api.d.ts'], folder)
  const strict = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes']
  const { output } = await run(join(bin, 'tsc'), [...strict, '--module', 'nodenext', '--target', 'es2022', 'program.mts'], folder)
  expect(output).toBe('')
})
