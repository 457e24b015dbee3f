import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'
import { temporaryFolder } from '../../harness/program.ts'
import { exportFrom, importExportInto } from './export-fixture.ts'

describe.each(engines)('the record of an export on $name', (engine) => {
  it('a file that is edited and imported again and again updates the post each time; what others change is a conflict', async () => {
    const verso = await startVerso(engine)
    const { body: post } = await verso.post('/v1/posts', { title: 'A', content: 'text' })
    const [mine, other] = [temporaryFolder(), temporaryFolder()]
    for (const folder of [mine, other]) await exportFrom(verso, folder)
    const edit = (folder: string, more: string) => appendFileSync(join(folder, 'posts/a.md'), more)
    for (const [day, content] of [
      ['02', 'text 02'],
      ['03', 'text 02 03'],
    ] as const) {
      verso.context.travelTo(`2026-06-${day}T00:00:00Z`)
      edit(mine, ` ${day}`)
      expect(await importExportInto(verso, mine, { dryRun: true })).toMatchObject({ posts: { updated: 1, conflicting: 0 } })
      expect(await importExportInto(verso, mine)).toMatchObject({ posts: { updated: 1, conflicting: 0 } })
      expect((await verso.get(`/v1/posts/${post.id}`)).body.content).toBe(content)
    }
    edit(other, ' other')
    expect(await importExportInto(verso, other)).toMatchObject({ posts: { updated: 0, conflicting: 1 } })
    verso.context.travelTo('2026-06-04T00:00:00Z')
    await verso.patch(`/v1/posts/${post.id}`, { title: 'B' })
    edit(mine, ' 04')
    expect(await importExportInto(verso, mine)).toMatchObject({ posts: { updated: 0, conflicting: 1 } })
    await exportFrom(verso, mine, { force: true })
    edit(mine, ' 05')
    expect(await importExportInto(verso, mine)).toMatchObject({ posts: { updated: 1, conflicting: 0 } })
  })
})
