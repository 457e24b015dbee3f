import { connect, type Socket } from 'node:net'

/** A response as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Sends bytes as they are, each chunk in a packet of its own. Returns the response once the service has closed the connection. */
export function sendRaw(url: string, ...chunks: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  return exchange(url, chunks, () => undefined)
}

/** The same, but the client closes its side of the connection right after the last chunk. */
export function sendRawAndClose(url: string, ...chunks: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  return exchange(url, chunks, (socket) => void socket.end())
}

async function exchange(url: string, chunks: readonly (string | Uint8Array)[], then: (socket: Socket) => void): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true })
  const received: Buffer[] = []
  const closed = new Promise<void>((resolve) =>
    socket
      .on('data', (bytes) => received.push(bytes))
      .on('error', resolve)
      .on('end', () => socket.end())
      .on('close', resolve),
  )
  for (const chunk of chunks) {
    await new Promise<void>((resolve) => socket.write(chunk, () => setImmediate(resolve)))
    if (socket.destroyed) break
  }
  then(socket)
  await closed
  return parseAnswer(Buffer.concat(received).toString('latin1'))
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...body] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const))
  return { status: Number(first.split(' ')[1]), headers, body: body.join('\r\n\r\n') }
}
