import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { temporaryFolder } from '../harness/program.ts'

const script = resolve(import.meta.dirname, '../../examples/follow-changes.js')

for (const engine of engines)
  it(`examples/follow-changes.js writes all pages once, then those that changed, and takes away what is gone, on ${engine.name}`, async () => {
    const verso = await startVerso(engine)
    const folder = temporaryFolder()
    const run = async () => {
      const env = { VERSO_URL: verso.app.url, VERSO_KEY: verso.public }
      return (await promisify(execFile)(process.execPath, [script, folder], { env })).stdout.split('\n').filter(Boolean).sort()
    }
    for (const title of ['First', 'Second', 'Third']) await verso.post('/v1/posts', { title, status: 'published' })
    expect(await run()).toEqual(['written  first.html', 'written  second.html', 'written  third.html'])
    expect(await run()).toEqual([])
    await verso.patch('/v1/posts/first', { content: '<b>' })
    await verso.patch('/v1/posts/second', { slug: 'moved' })
    await verso.delete('/v1/posts/third')
    expect(await run()).toEqual(['deleted  second.html', 'deleted  third.html', 'written  first.html', 'written  moved.html'])
    expect(readFileSync(join(folder, 'first.html'), 'utf8')).toContain('&#60;b&#62;')
    await verso.patch('/v1/posts/first', { excerpt: 'Not heard of in time' })
    verso.context.travelTo('2027-06-01T00:00:00.000Z')
    await verso.delete('/v1/posts/moved')
    expect(await run()).toEqual(['deleted  first.html', 'deleted  moved.html', 'written  first.html'])
    expect(readdirSync(folder).sort()).toEqual(['.followed.json', 'first.html'])
  })
