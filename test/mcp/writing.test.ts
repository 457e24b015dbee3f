import { describe, expect, it } from 'vitest'
import { engines, shared, startVerso, type TestApp } from '../harness/harness.ts'
import { agentOn, type TestAgent } from './agent-fixture.ts'

const content = '# Tides\n\nThe sea comes and goos.\n\n## Moon\n\nIt pulls.\n'

/** What undoing must bring back: the post and its pending edit, without the marks of having been written. */
async function stateOf(verso: TestApp, id: string) {
  const { version: _, updatedAt: __, ...post } = (await verso.get(`/v1/posts/${id}`)).body
  const pending = (await verso.get(`/v1/posts/${id}/pending`)).body
  const { version: v, updatedAt: u, basedOn: b, actor: a, actorName: n, ...edit } = pending
  return { post, edit: pending.code === undefined ? edit : pending.code }
}

/** The arguments with which an answer says that it can be undone. */
function undoIn(text: string): Record<string, unknown> {
  return JSON.parse(/^To undo it: undo (.*)$/m.exec(text)?.[1] ?? '{}')
}

function versionIn(text: string): string {
  return /^version: (\S+)$/m.exec(text)?.[1] ?? ''
}

for (const engine of engines)
  describe(`agents that write, on ${engine.name}`, () => {
    const started = shared(async () => {
      const verso = await startVerso(engine)
      return {
        verso,
        writer: await verso.keyWith('posts:write', 'media:write'),
        publisher: await verso.keyWith('posts:write', 'posts:publish'),
        proposer: await verso.keyWith('posts:propose'),
      }
    })
    const make = async (verso: TestApp, body: object = {}) =>
      (await verso.post('/v1/posts', { title: 'Tides', content, ...body })).body as { readonly id: string; readonly slug: string }
    const read = async (agent: TestAgent, id: string) => versionIn(await agent.call('read_post', { post: id }))

    it('edit_post: of a draft whose edit waits, it is not said that readers see the draft', async () => {
      const { verso, proposer } = await started()
      const agent = await agentOn(verso.app.url, proposer)
      const { id } = await make(verso)
      const edited = await agent.call('edit_post', { post: id, version: 'v1', edits: [{ old: 'goos', new: 'goes' }] })
      expect(edited).toMatch(/^Saved as the pending edit of .* The post itself stays as it is until it is applied\.\n/)
      expect(await agent.call('read_post', { post: id })).toContain('\nThis is its pending edit (content); the post itself is at v1.\n')
    })

    it('tools/list: those that the scopes allow, none that deletes, in 10 kB', async () => {
      const { verso, writer, publisher, proposer } = await started()
      const namesOf = async (key: string) => (await (await agentOn(verso.app.url, key)).client.listTools()).tools.map(({ name }) => name)
      const writing = ['draft_post', 'edit_post', 'set_fields']
      expect(await namesOf(writer)).toEqual(
        ['whoami', 'find_posts', 'read_post', 'history', 'check_post', 'list_terms', 'preview_link', ...writing].concat(
          'register_media',
          'undo',
        ),
      )
      expect(await namesOf(publisher)).toContain('publish_post')
      expect(await namesOf(proposer)).toEqual(expect.arrayContaining(writing))
      expect(await namesOf(proposer)).not.toContain('register_media')
      expect(await namesOf(verso.public)).toEqual(['whoami', 'find_posts', 'read_post', 'check_post', 'list_terms'])
      const { tools } = await (await agentOn(verso.app.url, verso.secret)).client.listTools()
      expect(tools.length).toBe(14)
      expect(JSON.stringify(tools).length).toBeLessThanOrEqual(10_000)
    })

    it('edit_post: changes a draft, says how to undo it, and undoing brings back every byte', async () => {
      const { verso, writer } = await started()
      const agent = await agentOn(verso.app.url, writer)
      const { id } = await make(verso)
      await agent.call('set_fields', { post: id, version: await read(agent, id), tags: ['Sea'] })
      const before = await stateOf(verso, id)
      const edited = await agent.call('edit_post', { post: id, version: await read(agent, id), edits: [{ old: 'goos', new: 'goes' }] })
      expect(edited).toMatch(/-The sea comes and goos\.\n\+The sea comes and goes\./)
      expect(edited).toContain(`/studio/in/default/posts/${id}`)
      expect((await stateOf(verso, id)).post.content).toBe(content.replace('goos', 'goes'))
      const revisions = (await verso.get(`/v1/posts/${id}/revisions`)).body.data
      expect(revisions[0]).toMatchObject({ actorName: 'secret key', client: 'test-agent 1.0', changed: ['content'] })
      await agent.call('undo', undoIn(edited))
      expect(await stateOf(verso, id)).toEqual(before)
      expect(await agent.call('history', { post: id, compare: 3 })).toContain('+The sea comes and goes.')
    })

    it('edit_post: the edit of a published post waits; each save of it can be undone', async () => {
      const { verso, writer } = await started()
      const agent = await agentOn(verso.app.url, writer, 'legacy')
      const { id } = await make(verso, { status: 'published' })
      const seen = (await verso.get(`/v1/posts/${id}`, { key: verso.public })).text
      const states = [await stateOf(verso, id)]
      const undos: Record<string, unknown>[] = []
      for (const [name, args] of [
        ['edit_post', { edits: [{ old: 'goos', new: 'goes' }] }],
        ['set_fields', { title: 'Tide', tags: ['Sea', 'Moon'], seo: { title: 'Tides' }, excerpt: 'Water.' }],
      ] as const) {
        const answer = await agent.call(name, { post: id, version: await read(agent, id), ...args })
        expect(versionIn(answer)).toMatch(/^v1\.p\d$/)
        undos.push(undoIn(answer))
        states.push(await stateOf(verso, id))
      }
      expect((await verso.get(`/v1/posts/${id}`, { key: verso.public })).text).toBe(seen)
      await agent.call('undo', undos[1])
      expect(await stateOf(verso, id)).toEqual(states[1])
      expect((await agent.tried('undo', undos[0])).isError).toBe(true)
      await verso.delete(`/v1/posts/${id}/pending`)
      const first = await agent.call('edit_post', { post: id, version: await read(agent, id), edits: [{ old: 'goos', new: 'goes' }] })
      const back = await agent.call('undo', undoIn(first))
      expect(back).toMatch(/It has none now[\s\S]*^version: v1\n[\s\S]*\+The sea comes and goos\./m)
      expect(back).toContain(`/studio/in/default/posts/${id}`)
      expect(await stateOf(verso, id)).toEqual(states[0])
    })

    it('edit_post: refuses stale versions and texts that do not occur once, and changes nothing', async () => {
      const { verso, writer } = await started()
      const agent = await agentOn(verso.app.url, writer)
      const { id } = await make(verso)
      const version = await read(agent, id)
      const before = (await verso.get(`/v1/posts/${id}`)).text
      for (const [args, why] of [
        [{ version: 'v9', edits: [{ old: 'goos', new: 'goes' }] }, /stale_version/],
        [{ version: `${version}.p1`, edits: [{ old: 'goos', new: 'goes' }] }, /stale_version/],
        [
          {
            version,
            edits: [
              { old: 'goos', new: 'goes' },
              { old: 'nowhere', new: 'x' },
            ],
          },
          /does not occur/,
        ],
        [{ version, edits: [{ old: 'o', new: 'x' }] }, /more than once/],
        [
          {
            version,
            edits: [
              { old: 'comes and', new: 'x' },
              { old: 'and goos', new: 'y' },
            ],
          },
          /overlap/,
        ],
        [{ version, edits: [{ old: '', new: 'x' }] }, /empty text/],
        [{ version, edits: [] }, /wrong/],
        [{ version, edits: [{ old: 'goos', new: 'a\u0000' }] }, /NUL/],
      ] as const) {
        const { text, isError } = await agent.tried('edit_post', { post: id, ...args })
        expect([args, isError]).toEqual([args, true])
        expect(text).toMatch(why)
      }
      expect((await verso.get(`/v1/posts/${id}`)).text).toBe(before)
    })

    it('undo: only a change of one’s own that nothing came after', async () => {
      const { verso, writer } = await started()
      const agent = await agentOn(verso.app.url, writer)
      const { id } = await make(verso)
      expect((await agent.tried('undo', { id, version: 'v1' })).text).toContain('not your own')
      const edited = undoIn(await agent.call('set_fields', { post: id, version: 'v1', excerpt: 'Water.' }))
      await verso.patch(`/v1/posts/${id}`, { title: 'Other' })
      expect((await agent.tried('undo', edited)).text).toContain('stale_version')
      expect((await agent.tried('undo', { id, version: 'v3' })).text).toContain('not your own')
      expect((await agent.tried('undo', { id, version: 'v3', back_to: 1 })).text).toContain('not your own')
    })

    it('draft_post and register_media: made, and taken back; the answer says what is there now', async () => {
      const { verso, writer, proposer } = await started()
      for (const key of [writer, proposer]) {
        const agent = await agentOn(verso.app.url, key)
        const made = await agent.call('draft_post', { title: 'From notes', content: 'Text.', tags: ['Sea'] })
        const undo = undoIn(made)
        expect((await verso.get(`/v1/posts/${undo.id}`)).body).toMatchObject({ status: 'draft', content: 'Text.' })
        expect(await agent.call('undo', undo)).toMatch(
          /It is in the trash now.* 30 days\.\nIn the studio: \S+\/studio\/in\/default\/trash$/,
        )
        expect((await verso.get(`/v1/posts/${undo.id}`)).status).toBe(404)
        expect((await agent.tried('draft_post', { title: 'x', status: 'published' })).isError).toBe(true)
      }
      const agent = await agentOn(verso.app.url, writer)
      const picture = { url: 'https://example.com/a.jpg', filename: 'a.jpg', mimeType: 'image/jpeg', alt: 'A boat' }
      const undo = undoIn(await agent.call('register_media', picture))
      expect((await verso.get(`/v1/media/${undo.id}`)).body).toMatchObject({ alt: 'A boat', width: 0 })
      expect((await agent.tried('undo', { id: undo.id, version: 'v1' })).isError).toBe(true)
      expect(await agent.call('undo', undo)).toMatch(/its record is gone\..*\nIn the studio: \S+\/studio\/in\/default\/media$/)
      expect((await verso.get(`/v1/media/${undo.id}`)).status).toBe(404)
    })

    it('register_media: a key with media:write alone can take it back, and nothing of posts', async () => {
      const { verso } = await started()
      const agent = await agentOn(verso.app.url, await verso.keyWith('media:write'))
      expect((await agent.client.listTools()).tools.map(({ name }) => name)).toEqual(['whoami', 'register_media', 'undo'])
      expect(await agent.call('whoami')).toMatch(/^You see no posts\.$/m)
      const picture = { url: 'https://example.com/b.jpg', filename: 'b.jpg', mimeType: 'image/jpeg', alt: 'A boat' }
      const undo = undoIn(await agent.call('register_media', picture))
      expect(await agent.call('undo', undo)).toContain('its record is gone')
      expect((await verso.get(`/v1/media/${undo.id}`)).status).toBe(404)
      const { id } = await make(verso)
      expect((await agent.tried('undo', { id, version: 'v1' })).text).toContain('insufficient_scope')
    })

    it('posts:propose: edits of drafts wait, too, and nothing else is allowed', async () => {
      const { verso, proposer } = await started()
      const agent = await agentOn(verso.app.url, proposer)
      const { id } = await make(verso)
      const answer = await agent.call('edit_post', { post: id, version: 'v1', edits: [{ old: 'goos', new: 'goes' }] })
      expect(versionIn(answer)).toBe('v1.p1')
      expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject({ version: 1, content, hasPendingEdit: true })
      for (const [method, path, body] of [
        ['PATCH', `/v1/posts/${id}`, { title: 'x' }],
        ['DELETE', `/v1/posts/${id}`, undefined],
        ['POST', `/v1/posts/${id}/pending/apply`, {}],
        ['POST', `/v1/posts/${id}/revisions/1/restore`, undefined],
        ['POST', '/v1/posts', { title: 'x', status: 'archived' }],
      ] as const)
        expect(await verso.request(method, path, { key: proposer, body })).toMatchObject({ status: 403, body: { scope: 'posts:write' } })
    })

    it('publish_post and schedule_post: with their pending edits, and back again', async () => {
      const { verso, publisher, writer } = await started()
      const agent = await agentOn(verso.app.url, publisher)
      const at = '2026-06-05T08:00:00Z'
      for (const [start, withEdit, call] of [
        [{}, false, ['publish_post', {}]],
        [{}, false, ['schedule_post', { at }]],
        [{ status: 'published' }, true, ['publish_post', {}]],
        [{ status: 'published' }, true, ['schedule_post', { at }]],
        [{ status: 'scheduled', scheduledFor: '2026-06-03T08:00:00Z' }, true, ['publish_post', {}]],
        [{ status: 'archived' }, false, ['publish_post', {}]],
        [{}, true, ['schedule_post', { at }]],
      ] as const) {
        const { id } = await make(verso, start)
        if (withEdit) await verso.patch(`/v1/posts/${id}/pending`, { content: 'New text.', tags: ['Sea'] })
        const before = await stateOf(verso, id)
        const [name, args] = call
        const answer = await agent.call(name, { post: id, version: await read(agent, id), ...args })
        const after = await stateOf(verso, id)
        expect([name, start, after]).not.toEqual([name, start, before])
        if (withEdit && name === 'publish_post') expect(after.post).toMatchObject({ status: 'published', content: 'New text.' })
        await agent.call('undo', undoIn(answer))
        const back = await stateOf(verso, id)
        expect([name, start, back]).toEqual([name, start, before])
      }
      const { id } = await make(verso)
      await verso.patch(`/v1/posts/${id}/pending`, { content: 'New text.' })
      const before = await stateOf(verso, id)
      const version = await read(agent, id)
      expect((await agent.tried('schedule_post', { post: id, version, at: '2020-01-01T00:00:00Z' })).isError).toBe(true)
      expect(await stateOf(verso, id)).toEqual(before)
      expect((await (await agentOn(verso.app.url, writer)).tried('publish_post', { post: id, version })).text).toContain('no such tool')
    })

    it('undo of a publication with its pending edit: can be undone in its turn, as its answer says', async () => {
      const { verso, publisher } = await started()
      const agent = await agentOn(verso.app.url, publisher)
      const at = '2026-06-05T08:00:00Z'
      for (const [start, name, args] of [
        [{}, 'publish_post', {}],
        [{}, 'schedule_post', { at }],
        [{ status: 'published' }, 'publish_post', {}],
      ] as const) {
        const { id } = await make(verso, start)
        await verso.patch(`/v1/posts/${id}/pending`, { content: 'New text.', tags: ['Sea'] })
        const answer = await agent.call(name, { post: id, version: await read(agent, id), ...args })
        const done = await stateOf(verso, id)
        const undone = await agent.call('undo', undoIn(answer))
        const [, tool = '', given = '{}'] = /^To undo it: (\w+) (.*)$/m.exec(undone) ?? []
        await agent.call(tool, JSON.parse(given))
        expect([name, start, await stateOf(verso, id)]).toEqual([name, start, done])
      }
    })

    it('set_fields of a published post: what is no change makes no pending edit', async () => {
      const { verso, writer } = await started()
      const agent = await agentOn(verso.app.url, writer)
      const { id } = await make(verso, { status: 'published', tags: ['Sea'] })
      const before = await stateOf(verso, id)
      for (const fields of [{ title: ' Tides ' }, { tags: ['Sea', 'sea'] }, { seo: {} }, { excerpt: '', category: '' }])
        expect(await agent.call('set_fields', { post: id, version: 'v1', ...fields })).toMatch(/^Nothing was changed: .*\nversion: v1$/)
      expect(await stateOf(verso, id)).toEqual(before)
      const refused = await agent.tried('set_fields', { post: id, version: 'v1', category: 'none' })
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('no such category') })
    })

    it('schedule_post and undo: what is as asked already is not changed, and has nothing to be undone', async () => {
      const { verso, publisher } = await started()
      const agent = await agentOn(verso.app.url, publisher)
      const at = '2026-06-05T08:00:00Z'
      const nothing = (version: string) => new RegExp(`^Nothing was changed: .* is like this already\\.\\nversion: ${version}$`)
      const { id } = await make(verso)
      await agent.call('schedule_post', { post: id, version: 'v1', at })
      expect(await agent.call('schedule_post', { post: id, version: 'v2', at })).toMatch(nothing('v2'))
      await agent.call('undo', { id, version: 'v2' })
      expect(await agent.call('undo', { id, version: 'v3', back_to: 1 })).toMatch(nothing('v3'))
      const { id: other } = await make(verso, { status: 'published' })
      await verso.patch(`/v1/posts/${other}/pending`, { title: 'Ebb' })
      const scheduled = versionIn(await agent.call('schedule_post', { post: other, version: 'v1.p1', at }))
      expect(await agent.call('schedule_post', { post: other, version: scheduled, at })).toMatch(nothing(scheduled))
    })

    it('undo of a publication with an edit that was scheduled: it is scheduled again, or the answer says why not', async () => {
      const { verso, publisher } = await started()
      const agent = await agentOn(verso.app.url, publisher)
      const publishedWithEdit = async (start: object) => {
        const { id } = await make(verso, start)
        await verso.patch(`/v1/posts/${id}/pending`, { content: 'New text.' })
        const scheduled = await verso.post(`/v1/posts/${id}/pending/apply`, { scheduledFor: '2026-06-05T08:00:00Z' })
        expect(scheduled.status).toBe(200)
        const before = await stateOf(verso, id)
        return { id, before, published: await agent.call('publish_post', { post: id, version: await read(agent, id) }) }
      }
      for (const start of [{ status: 'published' }, {}]) {
        const { id, before, published } = await publishedWithEdit(start)
        const undone = await agent.call('undo', undoIn(published))
        expect(await stateOf(verso, id)).toEqual(before)
        expect(versionIn(undone)).toBe(await read(agent, id))
      }
      const { id, before, published } = await publishedWithEdit({ status: 'published' })
      const late = await agent.tried('undo', { ...undoIn(published), edit_at: '2026-05-01T08:00:00Z' })
      expect(late).toMatchObject({ isError: true, text: expect.stringContaining('What was taken back is its pending edit.') })
      expect(late.text).toMatch(
        /\nThe next step, to schedule that edit for 2026-05-01T08:00:00Z again, met a problem\.\nvalidation_failed: /,
      )
      expect(await stateOf(verso, id)).toEqual({ ...before, edit: { ...before.edit, scheduledFor: null } })
      expect(versionIn(late.text)).toBe(await read(agent, id))
      expect(late.text).toContain(`To undo it: publish_post ${JSON.stringify({ post: id, version: versionIn(late.text) })}`)
    })

    it('edit_post and undo of a scheduled post: the changes that they name do not have its time, which stays', async () => {
      const { verso, writer } = await started()
      const agent = await agentOn(verso.app.url, writer)
      const { id } = await make(verso, { status: 'scheduled', scheduledFor: '2026-06-03T08:00:00Z' })
      const edited = await agent.call('edit_post', { post: id, version: 'v1', edits: [{ old: 'goos', new: 'goes' }] })
      const undone = await agent.call('undo', undoIn(edited))
      for (const answer of [edited, undone]) {
        expect(answer).toContain('+1 −1 lines')
        expect(answer).not.toContain('scheduledFor')
      }
    })

    it('read_post and edit_post of a scheduled pending edit: say when it will be applied', async () => {
      const { verso, publisher } = await started()
      const agent = await agentOn(verso.app.url, publisher)
      const { id } = await make(verso, { status: 'published' })
      await verso.patch(`/v1/posts/${id}/pending`, { title: 'Ebb and flow' })
      await verso.post(`/v1/posts/${id}/pending/apply`, { scheduledFor: '2026-06-05T08:00:00Z' })
      const seen = await agent.call('read_post', { post: id })
      expect(seen).toContain('This is its pending edit (title), which will be applied at 2026-06-05T08:00:00.000Z; readers still see v1.')
      const edits = [{ old: 'goos', new: 'goes' }]
      const edited = await agent.call('edit_post', { post: id, version: versionIn(seen), edits })
      expect(edited).toContain('Readers see no change until it is applied at 2026-06-05T08:00:00.000Z.')
    })

    it('check_post, preview_link: what is amiss before publishing, and a link to it', async () => {
      const { verso, writer } = await started()
      const agent = await agentOn(verso.app.url, writer)
      const target = await make(verso, { title: 'Not out yet' })
      const text = `[a](/blog/${target.slug}) [b](/blog/nowhere-at-all) ![](https://example.com/x.png) [c](https://else.example/y)`
      const { id, slug } = await make(verso, { title: 'T'.repeat(61), content: text })
      const checked = await agent.call('check_post', { post: id })
      for (const part of ['61 characters', 'neither an SEO description', 'no tags', 'x.png', 'that is draft', 'nowhere-at-all'])
        expect(checked).toContain(part)
      expect(checked).not.toContain('else.example')
      const answer = await agent.call('preview_link', { post: id })
      const link = /^\S+/.exec(answer)?.[0] ?? ''
      expect((await fetch(link)).status).toBe(200)
      expect(answer).toContain(`/studio/in/default/posts/${id}`)
      const revocation = /by DELETE (\S+)\.$/m.exec(answer)?.[1] ?? ''
      expect((await verso.delete(revocation)).status).toBe(204)
      expect((await fetch(link)).status).toBe(404)
      for (const change of [{ status: 'published' }, { slug: 'shorter' }]) await verso.patch(`/v1/posts/${id}`, change)
      expect(await agent.call('preview_link', { post: slug })).toContain(`/studio/in/default/posts/${id}`)
    })

    it('50 calls at once: each is answered, and only one edit of a version wins', async () => {
      const { verso, writer } = await started()
      const agent = await agentOn(verso.app.url, writer)
      const { id } = await make(verso)
      const version = await read(agent, id)
      const edit = (i: number) => agent.tried('edit_post', { post: id, version, edits: [{ old: 'goos', new: `goes ${i}` }] })
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => edit(i)))
      expect(answers.filter(({ isError }) => !isError).length).toBe(1)
      expect(answers.filter(({ text }) => text.includes('stale_version')).length).toBe(49)
      expect((await verso.get(`/v1/posts/${id}`)).body.version).toBe(2)
    })
  })
