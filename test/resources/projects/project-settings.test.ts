import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import type { Tx } from '../../../src/database/engine.ts'
import { changeSettings, createProject, editProject } from '../../../src/resources/projects/project-actions.ts'
import type { ProjectPatch } from '../../../src/resources/projects/project-schema.ts'
import { newId } from '../../../src/values/ids.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { engines, shared, startVerso } from '../../harness/harness.ts'
import { overlap } from '../../harness/overlap.ts'
import { describeSite, inheritSite } from '../../harness/site.ts'

const path = '/v1/admin/project'

for (const engine of engines)
  describe(`settings of a project on ${engine.name}`, () => {
    const started = shared(async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('admin')
      return {
        verso,
        patch: (body: unknown, query = '') => verso.patch(path + query, body, { key }),
        read: async () => (await verso.get(path, { key })).body,
      }
    })

    it('PATCH /v1/admin/project: 200, and every key reads what was changed', async () => {
      const { verso, patch, read } = await started()
      const settings = {
        name: 'Harbour notes',
        siteUrl: 'https://example.com',
        permalink: '/{year}/{slug}/',
        timeZone: 'Europe/Berlin',
        feedContent: 'excerpt',
      }
      const before = await verso.get('/v1/posts', { key: verso.public })
      const answer = await patch({ ...settings, name: '  Harbour notes ' })
      expect(answer).toMatchObject({ status: 200, body: { ...settings, slug: 'default', feedUrl: null } })
      expect(await read()).toEqual(answer.body)
      const { feedContent: _, ...known } = settings
      expect((await verso.get('/v1/project', { key: verso.public })).body).toEqual({ slug: 'default', ...known })
      // Links to posts depend on it, so that nothing cached lives on.
      expect((await verso.get('/v1/posts', { key: verso.public })).headers.get('etag')).not.toBe(before.headers.get('etag'))
      expect((await patch({ siteUrl: null })).body).toMatchObject({ siteUrl: null, permalink: settings.permalink })
    })

    it('PATCH /v1/admin/project: 200 for a name of 200 characters between spaces; it is trimmed, also on the command line', async () => {
      const { verso, patch, read } = await started()
      const name = 'a'.repeat(200)
      expect(await patch({ name: ` ${name}  ` })).toMatchObject({ status: 200, body: { name } })
      await describeSite(verso, { name: `  ${name.slice(1)} ` })
      expect((await read()).name).toBe(name.slice(1))
      const { app, context } = verso
      const caller = operator(newId('prj', toInstant(context.now()), context.random), 'cli', toInstant(context.now()))
      const created = await app.installation.perform(createProject, caller, { slug: 'created', name: ` ${name}  ` })
      expect(created.name).toBe(name)
    })

    it('PATCH /v1/admin/project: 200 without a change if nothing changes, and with dry_run=true', async () => {
      const { verso, patch, read } = await started()
      await patch({ permalink: '/{slug}' })
      verso.context.travelTo('2030-01-01T00:00:00.000Z')
      const before = await read()
      const etag = (await verso.get('/v1/posts', { key: verso.public })).headers.get('etag')
      expect((await patch({ permalink: '/{slug}' })).body).toEqual(before)
      expect((await patch({ permalink: '/posts/{slug}' }, '?dry_run=true')).body).toMatchObject({ permalink: '/posts/{slug}' })
      expect(await read()).toEqual(before)
      expect((await verso.get('/v1/posts', { key: verso.public })).headers.get('etag')).toBe(etag)
    })

    it('PATCH /v1/admin/project: of changes at the same time, each keeps what the other has set', async () => {
      const { verso, patch, read } = await started()
      const { app, context, projectId } = verso
      const caller = operator(projectId, 'cli', toInstant(context.now()))
      const patchTo = (value: ProjectPatch) => (tx: Tx) => changeSettings.run(tx, caller, { body: { ok: true, value } }, context.random)
      await overlap(app, patchTo({ name: 'Left' }), () => patch({ permalink: '/right/{slug}' }))
      expect(await read()).toMatchObject({ name: 'Left', permalink: '/right/{slug}' })
      const edit = () => app.installation.perform(editProject, caller, { slug: 'default', edits: { permalink: '/down/{slug}' } })
      await overlap(app, patchTo({ name: 'Up' }), edit)
      expect(await read()).toMatchObject({ name: 'Up', permalink: '/down/{slug}' })
    })

    it('PATCH /v1/admin/project: 422 names every fault, and nothing of it is kept', async () => {
      const { patch, read } = await started()
      const before = await read()
      const wrong = {
        name: ' ',
        siteUrl: 'https://example.com/?a',
        permalink: '/blog',
        feedContent: 'all',
        feedUrl: 'ftp://example.com',
        timeZone: 'Europe/Atlantis',
        slug: 'x',
      }
      const { status, body } = await patch(wrong)
      expect(status).toBe(422)
      expect(body.errors.map(({ pointer }: { readonly pointer: string }) => pointer).sort()).toEqual([
        '/feedContent',
        '/feedUrl',
        '/name',
        '/permalink',
        '/siteUrl',
        '/slug',
        '/timeZone',
      ])
      expect((await patch({ name: 'a'.repeat(201) })).status).toBe(422)
      expect((await patch({ name: null })).status).toBe(422)
      for (const timeZone of ['', 'Berlin', '+01:00', 'Europe/Berlin ', null]) {
        const { errors } = (await patch({ timeZone })).body
        expect(errors, String(timeZone)).toMatchObject([{ pointer: '/timeZone' }])
      }
      expect(await read()).toEqual(before)
    })

    it('PATCH /v1/admin/project: 422 names what is wrong with a URL or a permalink', async () => {
      const { patch, read } = await started()
      const before = await read()
      for (const [body, detail] of [
        [{ siteUrl: 'https://example.com/a b' }, 'The site URL has white space in it. A space in a URL is %20.'],
        [{ siteUrl: 'https://ada:secret@example.com' }, 'The site URL is public, and must not contain a user or a password.'],
        [{ feedUrl: 'https://ada@example.com/feeds' }, 'The feed URL is public, and must not contain a user or a password.'],
        [{ permalink: '/my blog/{slug}' }, 'The permalink has white space in it. A space in a URL is %20.'],
        [{ permalink: '/{slug}#top' }, 'The permalink has a # in it, which ends the path of a URL.'],
      ] as const) {
        const answer = await patch(body)
        expect([answer.status, answer.body.detail]).toEqual([422, detail])
      }
      expect(await read()).toEqual(before)
    })

    it('a value from before it was refused goes on working, and does not hinder other changes', async () => {
      const { verso, patch, read } = await started()
      const old = { site_url: 'https://ada@example.com', permalink: '/{slug}#top' }
      await inheritSite(verso, old)
      expect((await patch({ name: 'Renamed', permalink: old.permalink })).status).toBe(200)
      expect(await read()).toMatchObject({ name: 'Renamed', siteUrl: old.site_url, permalink: old.permalink })
      await describeSite(verso, { name: 'Again' })
      expect((await patch({ permalink: '/{slug}#end' })).status).toBe(422)
    })

    it('GET and PATCH /v1/admin/project: 403 insufficient_scope without admin', async () => {
      const { verso } = await started()
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', { name: 'Mine' }],
      ] as const)
        expect(await verso.request(method, path, { body })).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    })
  })
