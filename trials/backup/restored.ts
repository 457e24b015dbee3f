import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { verifyBackup } from '../../src/maintenance/backup/backup.ts'
import { readLocal } from '../../src/maintenance/backup/file-place.ts'
import { startNode } from '../../test/harness/cluster.ts'
import { serveFrom } from '../../test/harness/given-database.ts'
import { type Requests, requestsTo, testContext } from '../../test/harness/harness.ts'
import { quiet } from '../../test/maintenance/backup/backup-fixture.ts'
import { withEngine } from '../../test/maintenance/move/move-fixture.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'

/** How many of the acknowledged writes a restored database lacks. */
export async function lostIn(address: DatabaseAddress, acknowledged: ReadonlyMap<string, number>): Promise<number> {
  const versions = await withEngine(address, async ({ db }) => {
    const rows = await db.selectFrom('posts').select(['id', 'version']).execute()
    return new Map<string, number>(rows.map(({ id, version }) => [id, version]))
  })
  return [...acknowledged].filter(([id, version]) => (versions.get(id) ?? 0) < version).length
}

/** What clients keep of an answer: the ETags of a list and of a post, and a cursor of the changes feed. */
export interface Kept {
  readonly etag: string
  readonly post: { readonly path: string; readonly etag: string }
  readonly cursor: string
}

const list = '/v1/posts?limit=5'

/** Two writes, and what a client then keeps: the same revision and versions as after two writes in any other copy of this state. */
export async function writeAndKeep(api: Requests, title: string): Promise<Kept> {
  await api.post('/v1/posts', { title, status: 'published' })
  const [oldest] = (await api.get('/v1/posts?sort=created_at&limit=1')).body.data
  const path = `/v1/posts/${oldest.id}`
  const post = { path, etag: (await api.patch(path, { excerpt: title })).headers.get('etag') ?? '' }
  const etag = (await api.get(list)).headers.get('etag') ?? ''
  const feed = await api.get('/v1/changes?limit=100')
  return { etag, post, cursor: feed.body.nextCursor }
}

/** How many of the things that clients kept are taken for valid by another copy of the state, which has gone on differently. */
export async function takenForValid(api: Requests, kept: readonly Kept[]): Promise<number> {
  let valid = 0
  for (const { etag, post, cursor } of kept) {
    if ((await api.get(list, { headers: { 'if-none-match': etag } })).status !== 200) valid++
    if ((await api.get(`/v1/changes?since=${encodeURIComponent(cursor)}`)).status !== 410) valid++
    if ((await api.patch(post.path, { excerpt: 'overwritten' }, { headers: { 'if-match': post.etag } })).status === 200) valid++
  }
  return valid
}

/** Serves a restored database until the work is done. */
export async function served<T>(address: DatabaseAddress, key: string, work: (api: Requests) => Promise<T>): Promise<T> {
  const context = testContext(new Date().toISOString())
  const { app, ...api } =
    address.kind === 'postgres'
      ? await startNode(address).then((node) => ({ app: node, ...requestsTo(node.url, key) }))
      : await serveFrom(address, context, key)
  try {
    return await work(api)
  } finally {
    await app.stop()
  }
}

/** Damages a copy of a backup in one of many ways. */
export function damage(path: string, random: SeededRandom): string {
  const bytes = readFileSync(path)
  const damaged = `${path}.damaged`
  // gzip begins with ten bytes, of which some (a time, a system) say nothing of the content.
  const flip = (buffer: Buffer) => {
    const at = 10 + random.int(buffer.length - 10)
    buffer[at] = (buffer[at] ?? 0) ^ (1 << random.int(8))
    return buffer
  }
  const lines = () => gunzipSync(bytes).toString('utf8').trimEnd().split('\n')
  const repacked = (text: readonly string[]) => gzipSync(`${text.join('\n')}\n`)
  const kinds = [
    () => flip(bytes),
    () => bytes.subarray(0, random.int(bytes.length)),
    () => gzipSync(flip(gunzipSync(bytes))),
    () => repacked(lines().toSpliced(1 + random.int(lines().length - 1), 1)),
    () => repacked(lines().map((line, i) => (i === 0 ? line.replace(/"createdAt":"20/, '"createdAt":"19') : line))),
  ]
  writeFileSync(damaged, random.pick(kinds)())
  return damaged
}

/** Whether a backup is found to be whole. */
export async function isWhole(path: string): Promise<boolean> {
  return verifyBackup(readLocal(path), quiet).then(
    () => true,
    () => false,
  )
}
