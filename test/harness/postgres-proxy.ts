import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A message of a client to PostgreSQL (protocol 3.0): the start with its settings, a statement as text, a statement to prepare under a name. */
export type Sent =
  | { readonly kind: 'start'; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: 'query'; readonly sql: string }
  | { readonly kind: 'prepare'; readonly name: string; readonly sql: string }
  | { readonly kind: 'other' }

/**
 * What happens to a message: it is passed on; the connection is cut instead; it is passed on and the connection is cut before the response; it
 * is passed on, and from then on the connection is silent.
 */
export type Fate = 'pass' | 'cut' | 'lose the answer' | 'fall silent'

/** A proxy between a program and its database, until the test is over. */
export async function startProxy(target: string, decide: (sent: Sent) => Fate): Promise<string> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect({ host: hostname, port: Number(port) })
    const state = { fate: 'pass' as Fate }
    for (const socket of [client, database]) {
      open.add(
        socket
          .setNoDelay()
          .on('error', () => undefined)
          .on('close', () => cut()),
      )
    }
    const cut = () => {
      for (const socket of [client, database]) {
        open.delete(socket)
        socket.destroy()
      }
    }
    const messages = reader((sent, bytes) => {
      if (state.fate === 'pass') state.fate = decide(sent)
      if (state.fate === 'cut') cut()
      else database.write(bytes)
    })
    client.on('data', messages)
    database.on('data', (bytes) => {
      if (state.fate === 'pass') client.write(bytes)
      if (state.fate === 'lose the answer') cut()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  const url = new URL(target)
  if (typeof address === 'object' && address) url.port = String(address.port)
  return url.href
}

/** Splits the bytes of a client into messages. */
function reader(heard: (sent: Sent, bytes: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let started = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const head = started ? 1 : 0
      if (rest.length < head + 4) return
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      heard(started ? toSent(message) : toStart(message), message)
      started = true
    }
  }
}

function toStart(message: Buffer): Sent {
  const words = message.subarray(8).toString('utf8').split('\0')
  const pairs = words.flatMap((word, i) => (i % 2 === 0 && word !== '' ? [[word, words[i + 1] ?? '']] : []))
  return { kind: 'start', settings: Object.fromEntries(pairs) }
}

function toSent(message: Buffer): Sent {
  const [first = '', second = ''] = message.subarray(5).toString('utf8').split('\0')
  switch (String.fromCharCode(message[0] ?? 0)) {
    case 'Q':
      return { kind: 'query', sql: first }
    case 'P':
      return { kind: 'prepare', name: first, sql: second }
    default:
      return { kind: 'other' }
  }
}
