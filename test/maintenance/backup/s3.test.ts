import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBackup, removeOutdated, verifyBackup } from '../../../src/maintenance/backup/backup.ts'
import { backupName } from '../../../src/maintenance/backup/backup-place.ts'
import { openS3, type S3Place } from '../../../src/maintenance/backup/s3-place.ts'
import { movedTables } from '../../../src/maintenance/move/moved-tables.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { emptyDatabase, migratedDatabase, startOn } from '../../harness/given-database.ts'
import { engines, requestsTo, type TestEngine, testContext } from '../../harness/harness.ts'
import { addressText, verso as command, type Served, serve, temporaryFolder } from '../../harness/program.ts'
import { everyRow, withEngine } from '../move/move-fixture.ts'
import { quiet } from './backup-fixture.ts'
import { access, type S3Double, startS3 } from './s3-double.ts'

const sqlite = engines[0] as TestEngine
const postgres = engines[1] as TestEngine

/** A bucket by the real client, with pauses noted instead of made. A request is sent again after `timeoutMs` without an answer. */
function placeIn(double: S3Double, pauses: number[] = [], timeoutMs = 60_000): S3Place {
  const settings = { ...access, sessionToken: undefined, endpoint: new URL(double.url) }
  const patience = { timeoutMs, pause: async (ms: number) => void pauses.push(ms) }
  return openS3({ bucket: 'backups', settings, patience })
}

async function* chunks(bytes: number, size = 1_000_003): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += size) yield Buffer.alloc(Math.min(size, bytes - sent), (sent / size) % 251)
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

const read = (place: S3Place, key: string) => bytesOf(place.read(key))

describe('verso backup to S3', () => {
  it('signs every request, keeps what --keep says, verifies, and restores into the other engine', async () => {
    const [from, to, double] = [await migratedDatabase(sqlite), await emptyDatabase(postgres), await startS3()]
    const source = await startOn(from)
    await source.post('/v1/posts', { title: 'one', status: 'published' })
    const env = { AWS_ACCESS_KEY_ID: access.accessKeyId, AWS_SECRET_ACCESS_KEY: access.secretAccessKey, AWS_REGION: access.region }
    const old = [backupName(toInstant(new Date('2020-01-01'))), backupName(toInstant(new Date('2021-01-01')))]
    for (const name of [...old, 'notes.txt']) double.objects.set(`some where/${name}`, Buffer.from('old'))
    const options = ['--database', addressText(from), '--endpoint', double.url, '--json']
    const made = await command(['backup', 's3://backups/some where', '--keep', '7d', ...options], { env })
    expect([made.code, made.stderr]).toEqual([0, ''])
    const { file, removed, tables } = JSON.parse(made.stdout)
    expect(file).toMatch(/^s3:\/\/backups\/some where\/verso-.*\.ndjson\.gz$/)
    expect([removed, tables.length]).toEqual([old, movedTables.length])
    const key = file.slice('s3://backups/'.length)
    expect([...double.objects.keys()].sort()).toEqual(['some where/notes.txt', key].sort())

    expect(await command(['backup', '--verify', file], { env: { ...env, AWS_ENDPOINT_URL: double.url } })).toMatchObject({ code: 0 })
    const restored = await command(['restore', file, '--database', addressText(to), '--endpoint', double.url], { env })
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('read back and found equal') })
    const [{ installation: _, ...before }, { installation: __, ...after }] = [await everyRow(from), await everyRow(to)]
    expect(after).toEqual(before)
  })

  it('verso restore: what others make of the file while the backup is read stays', async () => {
    const [cwd, double] = [temporaryFolder(), await startS3()]
    const env = { AWS_ACCESS_KEY_ID: access.accessKeyId, AWS_SECRET_ACCESS_KEY: access.secretAccessKey, AWS_REGION: access.region }
    await command(['project', 'create', 'one', '--name', 'One', '--database', 'sqlite:old.db'], { cwd })
    await command(['backup', 'b.ndjson.gz', '--database', 'sqlite:old.db'], { cwd })
    double.objects.set('b.ndjson.gz', readFileSync(join(cwd, 'b.ndjson.gz')))
    const restoreBeside = (database: string, others: () => Promise<unknown>) => {
      let isFirst = true
      double.misbehave(async () => {
        if (isFirst) await others()
        isFirst = false
        return undefined
      })
      return command(['restore', 's3://backups/b.ndjson.gz', '--database', database, '--endpoint', double.url], { cwd, env })
    }
    const refused = { code: 1, stdout: '', stderr: expect.stringContaining('holds an installation already') }

    const served = `sqlite:${join(cwd, 'new/served.db')}`
    const made: { post?: string; service?: Served } = {}
    const second = await restoreBeside(served, async () => {
      const service = await serve(served, { cwd })
      const secret = /verso_live_\w+/.exec(service.stdout())?.[0] ?? ''
      const { status, body } = await requestsTo(service.url, secret).post('/v1/posts', { title: 'kept', status: 'published' })
      expect(status).toBe(201)
      Object.assign(made, { service, post: body.id })
    })
    expect(second).toMatchObject(refused)
    made.service?.signal('SIGTERM')
    expect((await made.service?.ended)?.code).toBe(0)
    const titles = await withEngine({ kind: 'sqlite', path: join(cwd, 'new/served.db') }, ({ db }) =>
      db.selectFrom('posts').select('id').execute(),
    )
    expect(titles).toEqual([{ id: made.post }])

    const first = await restoreBeside('sqlite:new/r.db', async () => {
      expect(await command(['restore', 'b.ndjson.gz', '--database', 'sqlite:new/r.db'], { cwd })).toMatchObject({ code: 0 })
    })
    expect(first).toMatchObject(refused)
    expect(await command(['check', '--database', 'sqlite:new/r.db'], { cwd })).toMatchObject({ code: 0 })
  })

  it('says in one line what is wrong with keys, addresses and objects', async () => {
    const double = await startS3()
    const cwd = temporaryFolder()
    const env = {
      AWS_ACCESS_KEY_ID: access.accessKeyId,
      AWS_SECRET_ACCESS_KEY: 'wrong',
      AWS_REGION: access.region,
      AWS_ENDPOINT_URL: double.url,
    }
    const refused = await command(['backup', '--verify', 's3://backups/a.gz'], { cwd, env })
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: GET s3:\/\/backups\/a\.gz was answered 403 \(SignatureDoesNotMatch: [^\n]+\n/),
    })
    expect(refused.stderr).not.toContain(access.secretAccessKey)
    const right = { ...env, AWS_SECRET_ACCESS_KEY: access.secretAccessKey }
    const missing = await command(['backup', '--verify', 's3://backups/a.gz'], { cwd, env: right })
    expect(missing).toMatchObject({
      code: 1,
      stderr: 'error: GET s3://backups/a.gz was answered 404 (NoSuchKey: The key a.gz does not exist & never did.).\n',
    })
    const folder = await command(['restore', 's3://backups/none', '--database', 'sqlite:a.db'], { cwd, env: right })
    expect(folder).toMatchObject({ code: 2, stderr: 'error: s3://backups/none is a folder without backups.\n' })
    expect(await command(['backup', 's3://backups/a.gz', '--database', 'sqlite:a.db'], { cwd })).toMatchObject({ code: 2 })
    expect((await command(['backup', '--verify', 's3://B/a.gz'], { cwd, env: right })).code).toBe(2)
    expect((await command(['backup', '--verify', 's3://backups/a.gz'], { cwd })).stderr).toContain('needs AWS_ACCESS_KEY_ID')
  })
})

describe('a bucket', () => {
  it('gets parts of 16 MiB in their order, and the object only at the end', async () => {
    const double = await startS3()
    const bytes = 33 * 1024 * 1024 + 17
    const file = placeIn(double).file('a/b.gz')
    await file.write(chunks(bytes))
    expect([...double.objects].map(([key, object]) => [key, object.length])).toEqual([['a/b.gz', bytes]])
    expect(double.requests.map((request) => request.split('&')[0])).toEqual([
      'HEAD a/b.gz',
      'POST a/b.gz ?uploads=',
      'PUT a/b.gz ?partNumber=1',
      'PUT a/b.gz ?partNumber=2',
      'PUT a/b.gz ?partNumber=3',
      expect.stringContaining('POST a/b.gz ?uploadId='),
    ])
    const found = await read(placeIn(double), 'a/b.gz')
    expect(found.equals(await bytesOf(chunks(bytes)))).toBe(true)
    await file.discard()
    expect(double.objects.size).toBe(0)
  })

  it.each(['500', '503', 'reset', 'hang'] as const)(
    '%s: a request is sent again, later and later, and nothing is there twice',
    async (fault) => {
      const double = await startS3()
      const pauses: number[] = []
      const failed = new Set<string>()
      double.misbehave((request) => {
        const isFirst = !failed.has(request)
        failed.add(request)
        return isFirst ? fault : undefined
      })
      const place = placeIn(double, pauses, fault === 'hang' ? 1_000 : undefined)
      await place.file('a.gz').write(chunks(1_000))
      expect((await read(place, 'a.gz')).length).toBe(1_000)
      expect(pauses).toEqual([500, 500, 500, 500, 500])
      expect(double.open.size).toBeLessThanOrEqual(1)
    },
  )

  it('503 five times: the upload fails in one line, is aborted, and leaves no object', async () => {
    const [double, from, context] = [await startS3(), await migratedDatabase(sqlite), testContext()]
    await startOn(from)
    const pauses: number[] = []
    double.misbehave((request) => (request.startsWith('PUT') ? '503' : undefined))
    const file = placeIn(double, pauses).file('a.gz')
    const making = withEngine(from, (engine) => makeBackup({ source: { engine, place: 'here' }, file, context, watch: quiet }))
    await expect(making).rejects.toThrow('PUT s3://backups/a.gz was answered 503 (SlowDown: Please reduce your request rate.).')
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000])
    expect([double.open.size, double.objects.size]).toEqual([0, 0])
  })

  it('an object of that name: refused before anything is sent, and it stays', async () => {
    const [double, from, context] = [await startS3(), await migratedDatabase(sqlite), testContext()]
    await startOn(from)
    double.objects.set('a.gz', Buffer.from('the only good backup'))
    const file = placeIn(double).file('a.gz')
    const making = withEngine(from, (engine) => makeBackup({ source: { engine, place: 'here' }, file, context, watch: quiet }))
    await expect(making).rejects.toThrow('s3://backups/a.gz exists already; choose another name, or a folder (s3://…/).')
    expect(double.requests).toEqual(['HEAD a.gz'])
    expect(double.objects.get('a.gz')?.toString()).toBe('the only good backup')
  })

  it('a key that may not list the bucket: a missing object is 403, and the backup is made', async () => {
    const double = await startS3()
    double.misbehave((request) => (request.startsWith('HEAD') ? '403' : undefined))
    await placeIn(double).file('a.gz').write(chunks(10))
    expect(double.objects.get('a.gz')?.length).toBe(10)
  })

  it('a connection that is cut while reading: it goes on where it was', async () => {
    const double = await startS3()
    double.objects.set('a.gz', await bytesOf(chunks(900_000, 1_000)))
    let reads = 0
    double.misbehave(() => (++reads < 4 ? 'cut' : undefined))
    expect((await read(placeIn(double), 'a.gz')).equals(double.objects.get('a.gz') ?? Buffer.alloc(0))).toBe(true)
    expect(reads).toBe(4)
  })

  it('another object under the name while reading: refused, not mixed', async () => {
    const double = await startS3()
    double.objects.set('a.gz', Buffer.alloc(900_000, 1))
    double.misbehave(() => 'cut')
    const reading = placeIn(double).read('a.gz')[Symbol.asyncIterator]()
    await reading.next()
    double.objects.set('a.gz', Buffer.alloc(900_000, 2))
    double.misbehave(() => undefined)
    const rest = async () => {
      for (;;) if ((await reading.next()).done) return
    }
    await expect(rest()).rejects.toThrow('answered 412')
  })

  it('an error behind 200, and an answer that is lost: only the object itself counts', async () => {
    const double = await startS3()
    double.misbehave((request) => (/^POST.*uploadId/.test(request) ? 'error in 200' : undefined))
    await expect(placeIn(double).file('a.gz').write(chunks(10))).rejects.toThrow(
      's3://backups/a.gz could not be put together (InternalError: again).',
    )
    let isFirst = true
    double.misbehave((request) => {
      if (!/^POST.*uploadId/.test(request) || !isFirst) return undefined
      isFirst = false
      return 'forget the upload'
    })
    await placeIn(double).file('b.gz').write(chunks(10))
    expect(double.objects.get('b.gz')?.length).toBe(10)
  })

  it('a bit that flips in the bucket: verification finds it', async () => {
    const [double, from, context] = [await startS3(), await migratedDatabase(sqlite), testContext()]
    await startOn(from)
    const place = placeIn(double)
    await withEngine(from, (engine) => makeBackup({ source: { engine, place: 'here' }, file: place.file('a.gz'), context, watch: quiet }))
    const object = double.objects.get('a.gz') ?? Buffer.alloc(0)
    object[object.length - 40] = (object[object.length - 40] ?? 0) ^ 4
    await expect(verifyBackup(place.read('a.gz'), quiet)).rejects.toThrow('The backup is damaged')
  })

  it('lists page after page, and never removes the newest', async () => {
    const [double, context] = [await startS3(), testContext('2026-06-20T00:00:00Z')]
    const names = [1, 2, 3, 4, 5].map((day) => backupName(toInstant(new Date(`2026-06-0${day}T00:00:00Z`))))
    for (const name of names) double.objects.set(`p/${name}`, Buffer.from('x'))
    const folder = placeIn(double).folder('p/')
    expect(await removeOutdated(folder, { context, keepMs: 0 })).toEqual(names.slice(0, 4))
    expect([...double.objects.keys()]).toEqual([`p/${names[4]}`])
  })
})
