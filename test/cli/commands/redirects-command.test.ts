import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { engines } from '../../harness/harness.ts'
import { addressText, verso } from '../../harness/program.ts'
import { blogOf } from '../../import/blog-fixture.ts'

it('verso redirects: the file of the host, what it cannot say on standard error; 2 without a format, 1 without a permalink', async () => {
  const made = await engines[0]?.create()
  if (!made) throw new Error('there is no engine')
  onTestFinished(made.drop)
  const database = ['--database', addressText(made.address)]
  await verso(['project', 'create', 'default', ...database])
  const blog = await blogOf({ 'a.md': '---\ntitle: A\ndate: 2020-01-01\naliases: [/old/, /a*]\n---\nText\n' })
  await verso(['import', blog, ...database])
  expect(await verso(['redirects', '--format', 'netlify', ...database])).toMatchObject({ code: 1, stdout: '' })
  await verso(['project', 'edit', 'default', '--permalink', '/blog/{slug}', ...database])
  expect(await verso(['redirects', ...database])).toMatchObject({ code: 2, stdout: '' })
  const { code, stdout, stderr } = await verso(['redirects', '--format', 'netlify', ...database])
  expect([code, stdout]).toEqual([0, '/old/ /blog/a 301\n'])
  expect(stderr).toBe('left out: /a* → /blog/a (* and : are patterns to Netlify)\n')
  const asJson = await verso(['redirects', '--format', 'netlify', '--json', ...database])
  expect(asJson).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(asJson.stdout)).toMatchObject({ text: '/old/ /blog/a 301\n', redirects: 1, untold: [{ from: '/a*' }] })
  const file = join(blog, 'redirects.json')
  expect(await verso(['redirects', '--format', 'vercel', '--output', file, ...database])).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(readFileSync(file, 'utf8')).redirects).toHaveLength(2)
  const printed = JSON.parse((await verso(['redirects', '--json', ...database])).stdout)
  expect(printed).toMatchObject([{ from: '/a*' }, { from: '/old/', to: '/blog/a', kind: 'alias' }])
})
