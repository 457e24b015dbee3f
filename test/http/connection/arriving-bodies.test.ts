import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'

const bodyBytes = 2 * 2 ** 20
/** As many fit into what is held of all bodies: 64 MiB. */
const mostAtOnce = 32

/** Sends a body without its last byte, and leaves it there. */
async function sendUnfinished({ app, secret }: TestApp) {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')))
  const head = `POST /v1/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: ${bodyBytes}\r\n\r\n`)
  const body = Buffer.from(`{"title":"Slow"}${' '.repeat(bodyBytes - 17)}`)
  if (!socket.write(body)) await once(socket, 'drain')
  return {
    answer: () => answer,
    finish: () => socket.write(' '),
    end: () => socket.destroy(),
  }
}

for (const engine of engines.slice(0, 1))
  describe('bodies that arrive slowly', () => {
    it('POST /v1/posts: 503 overloaded for the one that takes longest once 64 MiB are held, and the others go on', async () => {
      const verso = await startVerso(engine)
      const senders: Awaited<ReturnType<typeof sendUnfinished>>[] = []
      for (let n = 0; n < mostAtOnce + 8; n++) senders.push(await sendUnfinished(verso))
      const refused = () => senders.filter(({ answer }) => answer() !== '')
      await expect.poll(() => refused().length).toBe(8)
      for (const { answer } of refused()) {
        expect(answer()).toMatch(/^HTTP\/1\.1 503 /)
        expect(answer()).toMatch(/\r\nretry-after: 5\r\n/i)
        expect(answer()).toContain('"code":"overloaded"')
      }
      const [waiting] = senders.filter(({ answer }) => answer() === '')
      waiting?.finish()
      await expect.poll(() => waiting?.answer()).toMatch(/^HTTP\/1\.1 201 /)
      for (const { end } of senders) end()
      expect((await verso.post('/v1/posts', { title: 'Quick', content: 'x'.repeat(2 ** 20) })).status).toBe(201)
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(2)
    })

    it('POST /studio/session: 413 body_too_large beyond 16 KiB, since nobody is signed in yet', async () => {
      const { app } = await startVerso(engine)
      const signIn = (password: string) =>
        fetch(`${app.url}/studio/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: app.url, 'sec-fetch-site': 'same-origin' },
          body: JSON.stringify({ name: 'Ada', password }),
        })
      const refused = await signIn('x'.repeat(16 * 1024))
      expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([413, 'The body is larger than 16 KiB.'])
      expect((await signIn('x'.repeat(100))).status).toBe(401)
    })
  })
