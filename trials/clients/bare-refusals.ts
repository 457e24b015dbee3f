import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const server = `
  const server = require('node:http').createServer((request, response) => {
    request.resume()
    response.writeHead(503, { 'retry-after': '1' }).end()
  })
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))
`

interface BareServer {
  readonly url: string
  stop(): void
}

/** A server, in a process of its own, that refuses everything at the least cost that Node allows. */
export async function bareRefusals(): Promise<BareServer> {
  const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => void child.kill('SIGKILL')
  onTestFinished(stop)
  const [line] = await once(child.stdout, 'data')
  return { url: String(line).trim(), stop }
}
