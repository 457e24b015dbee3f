import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from '../app/config.ts'
import { realContext } from '../context.ts'
import { instantsOf } from '../values/instant.ts'

/** The log on standard error: readable lines in a terminal, else JSON. */
export function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY)
  const destination = pretty ? prettyLines(process.stderr) : pino.destination({ fd: 2, sync: false })
  const now = instantsOf(realContext.now)
  return pino(
    { level: logLevel, base: null, timestamp: () => `,"time":"${now()}"`, formatters: { level: (level) => ({ level }) } },
    destination,
  )
}

interface Line {
  readonly level: string
  readonly time: string
  readonly msg?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
  readonly durationMs?: number
  readonly requestId?: string
  readonly err?: { readonly stack?: string; readonly message?: string }
}

/** `12:00:00 info  GET /v1/posts 200 1.2 ms  req_…` */
function prettyLines(out: { write(text: string): unknown }): DestinationStream {
  return { write: (json) => void out.write(prettyLine(JSON.parse(json) as Line)) }
}

function prettyLine(line: Line): string {
  const { level, time, msg, err } = line
  const text = line.route === undefined ? (msg ?? '') : `${line.method} ${line.route} ${line.status} ${line.durationMs} ms`
  const id = line.requestId === undefined ? '' : `  ${line.requestId}`
  const stack = err === undefined ? '' : `\n${err.stack ?? err.message}`
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${text}${id}${stack}\n`
}
