import { setTimeout as sleep } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { readRemote } from '../../app/config.ts'
import { CommandFailed } from '../errors.ts'
import { ForeignFile } from '../sync/apply-page.ts'
import { FeedAway, FeedRefused, feedOf } from '../sync/feed-client.ts'
import { UnknownState } from '../sync/folder-state.ts'
import { openFolder, type SyncedFolder } from '../sync/sync-folder.ts'
import { examples, print, say } from '../terminal.ts'

interface SyncOptions {
  readonly url?: string
  readonly key?: string
  readonly watch?: true
  readonly json?: true
}

/** As long as the service lets anybody wait. */
const waitSeconds = 30
const longestPauseMs = 30_000

/** `verso sync <dir>`: needs no database, but a service and a key. */
export function syncCommand(): Command {
  return new Command('sync')
    .description('Keep a folder of Markdown files equal to what a key sees of a project. Run again, it brings what has changed.')
    .argument('<dir>', 'the folder; files in it that it did not write are left alone')
    .addOption(new Option('--url <address>', 'where Verso answers, such as https://content.example.com (VERSO_URL)'))
    .addOption(new Option('--key <token>', 'an API key with changes:read and posts:read (VERSO_KEY)'))
    .option('--watch', 'go on, and bring every change as it happens')
    .addOption(new Option('--json', 'print JSON'))
    .addHelpText(
      'after',
      examples('verso sync ./posts --url http://127.0.0.1:4400 --key verso_pub_…', 'VERSO_KEY=verso_pub_… verso sync ./posts --watch'),
    )
    .action(sync)
}

async function sync(folder: string, options: SyncOptions): Promise<void> {
  const { url, key } = readRemote(options)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  try {
    const onAnew = () =>
      say(options, 'The folder is too far behind, or the key sees other resources than the one before: everything is compared anew.')
    const synced = await openFolder({ folder, feed: feedOf(url, key, stop.signal), onAnew })
    print(options, ...told(folder, await catchUp(synced, stop.signal)))
    if (options.watch) await watch(synced, folder, options, stop.signal)
  } catch (error) {
    if (stop.signal.aborted) return
    const isExpected = [FeedAway, FeedRefused, ForeignFile, UnknownState].some((kind) => error instanceof kind)
    throw isExpected && error instanceof Error ? new CommandFailed(error.message) : error
  }
}

interface Total {
  readonly written: number
  readonly deleted: number
}

/** Brings all that there is to be had at once. */
async function catchUp(folder: SyncedFolder, stop: AbortSignal, seconds = 0): Promise<Total> {
  let total = await folder.next(seconds)
  while (total.hasMore && !stop.aborted) {
    const { written, deleted, hasMore } = await folder.next(0)
    total = { written: total.written + written, deleted: total.deleted + deleted, hasMore }
  }
  return total
}

/** Goes on until it is stopped; a service that is away is asked again, ever more slowly. */
async function watch(synced: SyncedFolder, folder: string, options: SyncOptions, stop: AbortSignal): Promise<void> {
  let pauseMs = 1_000
  while (!stop.aborted) {
    try {
      const total = await catchUp(synced, stop, waitSeconds)
      if (total.written + total.deleted > 0) print(options, ...told(folder, total))
      pauseMs = 1_000
    } catch (error) {
      if (!(error instanceof FeedAway) || stop.aborted) throw error
      say(options, `${error.message} Trying again in ${pauseMs / 1_000} s.`)
      await sleep(pauseMs, undefined, { signal: stop })
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }
}

function told(folder: string, { written, deleted }: Total): [value: object, text: string] {
  const files = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}`
  const text = written + deleted === 0 ? `${folder} is up to date.` : `${folder}: ${files(written)} written, ${files(deleted)} deleted.`
  return [{ folder, written, deleted }, text]
}
