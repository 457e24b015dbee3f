import { Agent, request } from 'node:http'
import { expect, it } from 'vitest'
import { engines, seededRandom, startVerso, type TestApp } from '../harness/harness.ts'
import { countText, soakSize } from '../harness/soak.ts'

const requests = soakSize(10_000)
const atOnce = 16

/** A number from 0 to 1, the same for the same seed. */
function chanceFrom(seed: string): () => number {
  const random = seededRandom(seed)
  return () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32
}

interface Answered {
  readonly status: number
  readonly replayed: boolean
  readonly text: string
}

/** Creates a post under a key. `cutAfter` turns of the event loop after it was sent, the connection is gone; nothing was heard then. */
function sender(verso: TestApp, agent: Agent) {
  return (key: string, cutAfter: number | undefined): Promise<Answered | undefined> =>
    new Promise((resolve) => {
      const headers = { authorization: `Bearer ${verso.secret}`, 'content-type': 'application/json', 'idempotency-key': key }
      const sending = request(`${verso.app.url}/v1/posts`, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          text += part
        })
        response.on('error', () => resolve(undefined))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, replayed: response.headers['idempotency-replayed'] === 'true', text }),
        )
      })
      sending.on('error', () => resolve(undefined))
      sending.end(JSON.stringify({ title: `Post ${key}` }), () => {
        if (cutAfter !== undefined) cutIn(cutAfter, () => sending.destroy())
      })
    })
}

function cutIn(turns: number, cut: () => void): void {
  if (turns === 0) cut()
  else setImmediate(() => cutIn(turns - 1, cut))
}

for (const engine of engines) {
  it(`30 % repeats and connections cut anywhere: every post once, every repeat the same bytes, on ${engine.name}`, {
    tags: ['soak'],
    timeout: 900_000,
  }, async ({ annotate }) => {
    const verso = await startVerso(engine)
    const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
    const send = sender(verso, agent)
    const chance = chanceFrom('cut connections')
    const keys: string[] = []
    const heard = new Map<string, Set<string>>()
    const note = (key: string, answer: Answered | undefined) => {
      if (!answer) return
      expect(answer.status).toBe(201)
      heard.set(key, (heard.get(key) ?? new Set()).add(answer.text))
    }
    const plan = Array.from({ length: requests }, (_, n) => {
      const repeats = keys.length > 0 && chance() < 0.3
      const key = repeats ? (keys[Math.floor(chance() * keys.length)] ?? '') : `key ${n}`
      if (!repeats) keys.push(key)
      return { key, cutAfter: chance() < 0.1 ? Math.floor(chance() * 8) : undefined }
    })
    const next = plan[Symbol.iterator]()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const { key, cutAfter } of next) note(key, await send(key, cutAfter))
      }),
    )
    const unheard = keys.filter((key) => !heard.has(key))
    for (const key of unheard) note(key, await send(key, undefined))
    agent.destroy()
    expect(unheard.length).toBeGreaterThan(requests / 200)
    expect([...heard.values()].filter((texts) => texts.size !== 1)).toEqual([])
    const posts = await verso.app.installation.db.selectFrom('posts').select(['id', 'title']).execute()
    expect(posts).toHaveLength(keys.length)
    const shown = new Map(posts.map(({ id, title }) => [title, id]))
    for (const key of keys) expect(JSON.parse([...(heard.get(key) ?? [])][0] ?? '{}').id).toBe(shown.get(`Post ${key}`))
    await annotate(
      `${countText(requests)} requests, ${countText(keys.length)} posts, each once, ${countText(unheard.length)} first heard of by a repeat`,
    )
  })
}
