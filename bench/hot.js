// The same request again and again, against the floor with its very bytes and headers.
import { answerTo } from './answer.js'
import { installation } from './installation.js'
import { compare } from './load.js'
import { startFloor, startVerso } from './server.js'

/** Figures for a path, silent and with a log line a request; `headersFor` may add headers once an answer is known. */
export async function hot(path, headersFor = () => ({})) {
  const { database, keys } = await installation(10_000)
  const figures = {}
  for (const [name, level] of [
    ['without log', 'silent'],
    ['with log', 'info'],
  ]) {
    const verso = await startVerso(database, { VERSO_LOG_LEVEL: level, VERSO_LOG_FORMAT: 'json' })
    const key = { authorization: `Bearer ${keys.public}` }
    const first = await answerTo(verso.url + path, key)
    const headers = { ...key, ...headersFor(first) }
    const floor = await startFloor(await answerTo(verso.url + path, headers))
    figures[name] = await compare(verso, floor, { paths: [path], headers })
    await verso.stop()
    await floor.stop()
  }
  return figures
}
