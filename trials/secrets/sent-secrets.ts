import { sendRaw } from '../../test/harness/raw-http.ts'
import { everyRoute, misplaced } from './every-route.ts'
import type { World } from './world.ts'

/** Sends every secret as a key to every route, and where none belongs. */
export async function sendEverywhere({ canaries, ask, node, look }: World): Promise<number> {
  let requests = 0
  const routes = everyRoute()
  for (const [name, secret] of canaries.all) {
    if (name === 'admin key' || name === 'first secret key') await readAsOwner({ ask, canaries }, secret)
    for (const { method, path, body } of routes) {
      // What is made here is shown in its own answer.
      const isShown = method === 'POST' && /keys|tokens|webhooks|rotate|people/.test(path)
      const { text } = await ask(method, path, { key: secret, body: isShown ? '{}' : body })
      canaries.look(`answer to ${method} ${path}`, text)
      requests++
    }
    for (const { method, path, body } of misplaced(secret)) {
      await ask(method, path, { key: secret, body }).catch(() => undefined)
      requests++
    }
    for (const raw of brokenRequests(secret)) {
      canaries.look(
        'answer of the parser',
        await sendRaw(node.url, raw).then(
          ({ body }) => String(body),
          () => '',
        ),
      )
      requests++
    }
  }
  look()
  return requests
}

async function readAsOwner({ ask, canaries }: Pick<World, 'ask' | 'canaries'>, key: string): Promise<void> {
  for (const path of ['/v1/admin/keys', '/v1/admin/webhooks', '/v1/posts?status=draft', '/v1/changes']) {
    const { text } = await ask('GET', path, { key })
    canaries.look(`answer to GET ${path}`, text)
  }
}

function brokenRequests(secret: string): readonly string[] {
  const key = `Authorization: Bearer ${secret}`
  return [
    `GET /v1/posts HTTP/9.9\r\nHost: verso\r\n${key}\r\n\r\n`,
    `GET /v1/posts HTTP/1.1\r\nHost: verso\r\n${key}\r\nX-Broken\x01: 1\r\n\r\n`,
    `GET /v1/posts HTTP/1.1\r\nHost: verso\r\n${key}\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`,
    `GET /v1/posts HTTP/1.1\r\nHost: verso\r\n${key}\r\n${key}\r\nConnection: close\r\n\r\n`,
    `POST /v1/posts HTTP/1.1\r\nHost: verso\r\n${key}\r\nContent-Length: x\r\n\r\n`,
  ]
}
