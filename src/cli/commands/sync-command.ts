import { setTimeout as sleep } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { readRemote } from '../../app/config.ts'
import { startStopwatch } from '../../values/stopwatch.ts'
import { CommandFailed } from '../errors.ts'
import { ForeignFile } from '../sync/apply-page.ts'
import { FeedAway, FeedRefused, feedOf } from '../sync/feed-client.ts'
import { DamagedState, UnknownState } from '../sync/folder-state.ts'
import { openFolder } from '../sync/sync-folder.ts'
import { catchUp, type Total, watchFolder } from '../sync/watch-folder.ts'
import { counted, examples, print, say } from '../terminal.ts'

interface SyncOptions {
  readonly url?: string
  readonly key?: string
  readonly watch?: true
  readonly assets?: true
  readonly json?: true
}

/** `verso sync <dir>`: needs a running service and a key, no database. */
export function syncCommand(): Command {
  return new Command('sync')
    .description('Write the posts that a key can see as Markdown files into a folder. Run it again to fetch what has changed.')
    .argument('<dir>', 'the folder; files that verso sync did not write are left alone')
    .addOption(
      new Option(
        '--url <address>',
        'the address of the service, such as https://content.example.com (or VERSO_URL; default: http://127.0.0.1:4400)',
      ),
    )
    .addOption(new Option('--key <token>', 'an API key with the scopes changes:read and posts:read (or VERSO_KEY)'))
    .option('--watch', 'keep running, and fetch every change as it happens')
    .option(
      '--assets',
      'pictures lie beside the posts: leave relative addresses as they are, and list those that lead to no file (without it, such a picture gets an address that no site generator looks for)',
    )
    .addOption(new Option('--json', 'print JSON'))
    .addHelpText(
      'after',
      examples(
        'verso sync ./posts --url http://127.0.0.1:4400 --key verso_pub_…',
        'VERSO_KEY=verso_pub_… verso sync ./posts --watch',
        'verso sync ./src/content/blog --key verso_pub_… --assets',
      ),
    )
    .action(sync)
}

const stopped = 'stopped before the end; the same command continues from here.'

async function sync(folder: string, options: SyncOptions): Promise<void> {
  const { url, key } = readRemote(options)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  try {
    const onAnew = (reason: string) => say(options, `${reason}: comparing everything.`)
    const synced = await openFolder({ folder, pictures: options.assets ? 'leave' : 'detach', feed: feedOf(url, key, stop.signal), onAnew })
    const total = await catchUp(synced, stop.signal)
    print(options, ...told(folder, total, options))
    if (options.watch) await watchFolder(synced, watching(folder, options, stop.signal))
    else if (total.hasMore) throw new CommandFailed(stopped)
  } catch (error) {
    if (stop.signal.aborted) {
      // A watch has no other end.
      if (options.watch) return
      throw new CommandFailed(stopped)
    }
    const isExpected = [FeedAway, FeedRefused, ForeignFile, UnknownState, DamagedState].some((kind) => error instanceof kind)
    throw isExpected && error instanceof Error ? new CommandFailed(error.message) : error
  }
}

function watching(folder: string, options: SyncOptions, stop: AbortSignal): Parameters<typeof watchFolder>[1] {
  return {
    stop,
    onDone: (total) => print(options, ...told(folder, total, options)),
    onAway: (error, pauseMs) => say(options, `${error.message} Trying again in ${pauseMs / 1_000} s.`),
    pause: (ms) => sleep(ms, undefined, { signal: stop }),
    elapsedMs: startStopwatch(),
  }
}

function told(folder: string, { written, deleted, missing }: Total, { assets }: SyncOptions): [value: object, text: string] {
  const done =
    written + deleted === 0
      ? `${folder} is up to date.`
      : `${folder}: ${counted(written, 'file')} written, ${counted(deleted, 'file')} deleted.`
  const value = { folder, written, deleted, ...(missing.length > 0 && { missing }) }
  if (missing.length === 0) return [value, done]
  if (!assets) return [value, `${done}\nPictures that are not in the folder: ${missing.length.toLocaleString('en')} (--assets lists them).`]
  return [value, [done, 'Pictures that are not in the folder:', ...missing.map(({ file, picture }) => `  ${file}: ${picture}`)].join('\n')]
}
