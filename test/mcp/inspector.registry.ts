import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installed, run } from '../examples/registry-tools.ts'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'
import { main } from '../harness/program.ts'

const [sqlite] = engines

/** The command of the protocol's own inspector. */
async function inspector(): Promise<string> {
  const folder = await installed('mcp-inspector', ['@modelcontextprotocol/inspector@2'])
  return join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
}

/** Arguments for each tool, in an order in which each finds what it needs. */
function callsFor(id: string): readonly (readonly [tool: string, ...args: string[]])[] {
  const picture = ['url=https://example.com/a.jpg', 'filename=a.jpg', 'mimeType=image/jpeg', 'alt=A boat']
  return [
    ['whoami'],
    ['find_posts', 'limit=5'],
    ['read_post', `post=${id}`],
    ['history', `post=${id}`],
    ['check_post', `post=${id}`],
    ['list_terms'],
    ['preview_link', `post=${id}`],
    ['draft_post', 'title=By the inspector'],
    ['edit_post', `post=${id}`, 'version=v1', 'edits=[{"old":"goos","new":"goes"}]'],
    ['set_fields', `post=${id}`, 'version=v2', 'excerpt=Water.'],
    ['undo', `id=${id}`, 'version=v3'],
    ['register_media', ...picture],
    ['schedule_post', `post=${id}`, 'version=v4', 'at=2099-01-01T00:00:00Z'],
    ['publish_post', `post=${id}`, 'version=v5'],
  ]
}

/** Each ends with what is served: options of several values would take it for one. */
const ways: Readonly<Record<string, (verso: TestApp) => readonly string[]>> = {
  http: ({ app, secret }) => ['--header', `Authorization: Bearer ${secret}`, '--transport', 'http', `${app.url}/mcp`],
  stdio: ({ app, secret }) => ['-e', `VERSO_URL=${app.url}`, '-e', `VERSO_KEY=${secret}`, process.execPath, main, 'mcp'],
}

describe.each(['legacy', 'modern'])('the inspector, speaking the %s protocol', (era) => {
  it.each(Object.keys(ways))('lists and calls every tool over %s', { timeout: 600_000 }, async (way) => {
    if (!sqlite) throw new Error('there is no engine')
    const [verso, command] = [await startVerso(sqlite), await inspector()]
    const target = ways[way]?.(verso) ?? []
    const ask = (...args: readonly string[]) =>
      run(process.execPath, [command, '--cli', '--protocol-era', era, ...args, ...target], process.cwd())
    const { output } = await ask('--method', 'tools/list', '--strict')
    const { id } = (await verso.post('/v1/posts', { title: 'Tides', content: 'The sea comes and goos.\n' })).body
    for (const [tool, ...args] of callsFor(id)) {
      expect(output).toContain(`"name": "${tool}"`)
      const pairs = args.flatMap((arg) => ['--tool-arg', arg])
      const answer = await ask('--method', 'tools/call', '--tool-name', tool, ...pairs)
      expect([tool, answer.output.includes('"isError": true') && answer.output]).toEqual([tool, false])
    }
    expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject({ status: 'published', content: 'The sea comes and goes.\n' })
  })
})
