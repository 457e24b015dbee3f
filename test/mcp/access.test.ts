import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { realContext } from '../../src/context.ts'
import { around, sharedDatabase, startNode } from '../harness/cluster.ts'
import { engines, makeProject, startVerso } from '../harness/harness.ts'
import { signedIn } from '../harness/studio-browser.ts'
import { agentOn, connected, generations } from './agent-fixture.ts'
import { undoIn } from './agent-tasks.ts'

const versionIn = (text: string) => /^version: (\S+)$/m.exec(text)?.[1] ?? ''

for (const engine of engines)
  it(`POST /mcp: the token of a session acts as its person, until they sign out, on ${engine.name}`, async () => {
    const verso = await startVerso(engine)
    const { id, browser, token } = await signedIn(verso, 'Mira Holt', 'writer')
    expect(token).toMatch(/^verso_sess_/)
    const agent = await agentOn(verso.app.url, token)
    expect(await agent.call('whoami')).toContain(`You act as ${id} ("Mira Holt"), a person.`)
    const made = undoIn(await agent.call('draft_post', { title: 'By hand' }))
    const revisions = await verso.get(`/v1/posts/${made.id}/revisions`)
    expect(revisions.body.data[0]).toMatchObject({ actor: id, actorName: 'Mira Holt', client: 'test-agent 1.0' })
    expect((await browser.request('DELETE', '')).status).toBe(204)
    await expect(agent.call('undo', made)).rejects.toThrow(/401|invalid_key/)
    const refused = await fetch(`${verso.app.url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' })
    expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'invalid_key' }])
    expect((await verso.get(`/v1/posts/${made.id}`)).status).toBe(200)
  })

it.skipIf(engines.every(({ name }) => name !== 'PostgreSQL'))(
  'POST /mcp: each request of a client may come to another node, in both generations of the protocol',
  async () => {
    const database = await sharedDatabase()
    const nodes = [await startNode(database), await startNode(database)]
    const { secret, get } = await makeProject(around(nodes, 0), realContext, 'default')
    for (const generation of generations) {
      const asked = [0, 0]
      const alternating = (url: string | URL, init?: RequestInit) => {
        const place = asked.reduce((sum, count) => sum + count, 0) % nodes.length
        asked[place] = (asked[place] ?? 0) + 1
        return fetch(new URL(new URL(url).pathname, around(nodes, place).url), init)
      }
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', around(nodes, 0).url), {
        fetch: alternating,
        requestInit: { headers: { authorization: `Bearer ${secret}` } },
      })
      const agent = await connected(transport, generation)
      expect((await agent.client.listTools()).tools).toHaveLength(14)
      const made = await agent.call('draft_post', { title: `By ${generation}`, content: 'The sea goos.' })
      const { id } = undoIn(made) as { readonly id: string }
      const edits = [{ old: 'goos', new: 'goes' }]
      const edited = await agent.call('edit_post', { post: id, version: versionIn(made), edits })
      const fields = await agent.call('set_fields', { post: id, version: versionIn(edited), tags: ['Sea'] })
      expect(await agent.call('read_post', { post: id })).toContain('The sea goes.')
      await agent.call('undo', undoIn(fields))
      const { data } = (await get(`/v1/posts/${id}/revisions`)).body
      expect(data.map(({ client }: { client: string }) => client)).toEqual(Array(4).fill('test-agent 1.0'))
      expect(Math.min(...asked)).toBeGreaterThanOrEqual(3)
    }
  },
)
