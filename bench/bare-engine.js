// The floor of writes: the bare engine, running the very statements with the very parameters that real creates ran.
import { closeSync, copyFileSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { operator } from '../dist/actions/caller.js'
import { openInstallation } from '../dist/app/installation.js'
import { realContext } from '../dist/context.js'
import { createPost } from '../dist/resources/posts/post-actions.js'
import { listProjects } from '../dist/resources/projects/project-store.js'
import { unobserved } from '../dist/values/observations.js'
import { newPost } from './create-load.js'
import { medianOf } from './load.js'

const around = /^(begin|commit|rollback|savepoint|release|pragma|select total_changes|select state from installation)/i

/** What so many creates say to the engine, one list of statements for each; they are done on a copy of the database. */
export async function recordCreates(database, count) {
  const path = `${database}.recorded`
  copyFileSync(database, path)
  const listening = listen()
  const installation = await openInstallation({ database: { kind: 'sqlite', path }, context: realContext, observations: unobserved })
  const [project] = await listProjects(installation.db)
  const creates = []
  for (let i = 0; i < count; i++) {
    const caller = operator(project.id, 'cli', await installation.engine.now())
    listening.take()
    await installation.perform(createPost, caller, { body: { ok: true, value: newPost(`Recorded ${i}`) } })
    creates.push(listening.take())
  }
  listening.stop()
  await installation.close()
  remove(path)
  return creates
}

/** Hears what is run, but for what begins and ends transactions. */
function listen() {
  const { prepare } = Database.prototype
  let heard = []
  Database.prototype.prepare = function (text) {
    const statement = prepare.call(this, text)
    if (around.test(text)) return statement
    for (const method of ['run', 'all', 'get']) {
      const original = statement[method].bind(statement)
      statement[method] = (...parameters) => {
        heard.push({ text, method: statement.reader ? 'all' : 'run', parameters: parameters.flat() })
        return original(...parameters)
      }
    }
    return statement
  }
  return {
    take() {
      const taken = heard
      heard = []
      return taken
    },
    stop() {
      Database.prototype.prepare = prepare
    },
  }
}

/** Creates per second of the bare engine, and CPU microseconds of each: so many in each transaction, every one flushed to the disk. */
export function replay(database, creates, inEach) {
  const path = `${database}.replayed`
  copyFileSync(database, path)
  const engine = new Database(path)
  engine.pragma('journal_mode = wal')
  engine.pragma('synchronous = full')
  engine.pragma('foreign_keys = on')
  engine.pragma('cache_size = -16384')
  const kept = new Map()
  const prepared = (text) => kept.get(text) ?? kept.set(text, engine.prepare(text)).get(text)
  for (const create of creates) for (const { text } of create) prepared(text)
  const [started, before] = [performance.now(), process.cpuUsage()]
  for (let from = 0; from < creates.length; from += inEach) {
    prepared('begin immediate').run()
    for (const create of creates.slice(from, from + inEach))
      for (const { text, method, parameters } of create) prepared(text)[method](...parameters)
    prepared('commit').run()
  }
  const seconds = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(before)
  engine.close()
  remove(path)
  return { perSecond: creates.length / seconds, cpuMicros: (user + system) / creates.length }
}

/** How long the disk takes to keep 4 KiB, in milliseconds: the median of many. */
export function flushMs(database) {
  const path = `${database}.flushed`
  const file = openSync(path, 'w')
  const took = Array.from({ length: 100 }, () => {
    writeSync(file, Buffer.alloc(4_096, 1))
    const started = performance.now()
    fdatasyncSync(file)
    return performance.now() - started
  })
  closeSync(file)
  rmSync(path)
  return medianOf(took)
}

function remove(path) {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
}
