import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serve, temporaryFolder, verso } from '../../harness/program.ts'
import { openBrowser, testPassword } from '../../harness/studio-browser.ts'

const tokenOf = (link: string) => link.trim().split('#')[1] ?? ''

describe('verso person', () => {
  it('invite, list, edit and remove; a lost password is the same command, and a role counts at once', async () => {
    const database = `sqlite:${join(temporaryFolder(), 'verso.db')}`
    const run = (...args: readonly string[]) =>
      verso(['person', ...args, '--database', database], { env: { VERSO_PUBLIC_URL: 'https://content.example.com/' } })
    await serve(database)
    const first = await run('invite', 'Mira Holt', '--role', 'editor')
    expect(first.stdout).toMatch(/^https:\/\/content\.example\.com\/studio\/welcome#verso_link_\w+\n$/)
    expect(first.stderr).toContain('Send Mira Holt this link.')
    const again = JSON.parse((await run('invite', 'MIRA HOLT', '--json')).stdout)
    expect(again).toMatchObject({ name: 'Mira Holt', role: 'editor', hasPassword: false })
    expect(tokenOf(again.link)).not.toBe(tokenOf(first.stdout))
    expect((await run('edit', 'mira holt', '--role', 'owner', '--name', 'Mira')).stdout).toBe(`${again.id}  Mira  owner\n`)
    const listed = JSON.parse((await run('list', '--json')).stdout)
    expect(listed.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
      ['Mira', 'owner'],
      ['owner', 'owner'],
    ])
    expect((await run('list')).stdout).toMatch(/^ID +NAME +ROLE +SIGNS IN WITH +LAST SEEN\npers_\w+ +Mira +owner +the link, until /)
    expect((await run('remove', again.id)).stdout).toContain('has no role in the project any more.')
    expect(await run('remove', 'Mira')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no such person.') })
    expect(await run('invite', 'Nobody')).toMatchObject({ code: 2, stderr: expect.stringContaining('give one: writer, editor or owner') })
    expect((await run('invite', 'x', '--role', 'king')).code).toBe(2)
    for (const [name, why] of [
      ['Mira\u200bHolt', 'characters without width'],
      [' ', 'must not be empty'],
      ['x'.repeat(101), 'too long'],
    ] as const)
      expect(await run('invite', name, '--role', 'writer')).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
  })

  it('edit --sign-out with a name that cannot be: nothing is done, not even the sign-out', async () => {
    const database = `sqlite:${join(temporaryFolder(), 'verso.db')}`
    const running = await serve(database)
    const browser = openBrowser(running.url)
    const link = /verso_link_\w+/.exec(running.stdout())?.[0] ?? ''
    expect((await browser.post('/password', { token: link, password: testPassword })).status).toBe(201)
    const edit = (...args: readonly string[]) => verso(['person', 'edit', 'owner', '--sign-out', ...args, '--database', database])
    expect(await edit('--name', ' ')).toMatchObject({ code: 2, stderr: 'error: name must not be empty.\n' })
    expect((await browser.request('GET', '')).status).toBe(200)
    expect((await edit('--name', 'Mira')).code).toBe(0)
    expect((await browser.request('GET', '')).status).toBe(401)
  })

  it('people go with a backup: after a restore, a person signs in with their password, and who was signed in still is', async () => {
    const folder = temporaryFolder()
    const [here, there, file] = [`sqlite:${join(folder, 'a.db')}`, `sqlite:${join(folder, 'b.db')}`, join(folder, 'a.ndjson.gz')]
    const running = await serve(here)
    const link = /verso_link_\w+/.exec(running.stdout())?.[0] ?? ''
    const browser = openBrowser(running.url)
    expect((await browser.post('/password', { token: link, password: testPassword })).status).toBe(201)
    for (const args of [
      ['backup', file, '--database', here],
      ['restore', file, '--database', there],
      ['check', '--database', there],
    ])
      expect(await verso(args), args[0]).toMatchObject({ code: 0 })
    const restored = await serve(there)
    const signedIn = await openBrowser(restored.url).post('', { name: 'owner', password: testPassword })
    expect(signedIn).toMatchObject({ status: 201, body: { person: { name: 'owner' }, projects: [{ role: 'owner' }] } })
    const kept = openBrowser(restored.url)
    kept.cookie = browser.cookie
    expect((await kept.request('GET', '')).status).toBe(200)
  })
})
