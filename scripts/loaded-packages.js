// Prints, as JSON, the packages that the service and its commands load, including those that are loaded on demand. Needs dist/.
import { readdirSync } from 'node:fs'
import * as loader from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'

const urls = new Set()
if (loader.registerHooks) loader.registerHooks({ load: (url, context, next) => urls.add(url) && next(url, context) })
else hookFromThread()

const { startApp } = await import('../dist/app/start-app.js')
const { readConfig } = await import('../dist/app/config.js')
const { realContext } = await import('../dist/context.js')
const { openLog } = await import('../dist/cli/log.js')
// The program is bundled with its packages (scripts/build.js). The modules beside it import them.
const isModule = (file) =>
  file.endsWith('.js') && !file.endsWith('-thread.js') && file !== 'cli/main.js' && !file.startsWith('chunks') && !file.startsWith('studio')
const modules = readdirSync(new URL('../dist/', import.meta.url), { recursive: true, encoding: 'utf8' }).map((file) =>
  file.replaceAll('\\', '/'),
)
for (const file of modules.filter(isModule)) await import(`../dist/${file}`)
const config = {
  ...readConfig({ database: process.argv[2], port: '0' }, { VERSO_SECRET: 'x'.repeat(32) }),
  logLevel: 'silent',
  logFormat: 'json',
}
const app = await startApp({ config, context: realContext, log: openLog(config) })
await fetch(`${app.url}/v1/posts`)
await app.stop()
await wait(100)

const files = [...Object.keys(loader.createRequire(import.meta.url).cache), ...urls]
const paths = files.flatMap((file) =>
  file
    .split(/node_modules[\\/]/)
    .slice(1)
    .slice(-1),
)
const names = paths.map((path) => /^(?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]).filter(Boolean)
process.stdout.write(JSON.stringify([...new Set(names)].sort()))

/** The same where Node has no `registerHooks` yet (before 22.15): its hooks live in a thread of their own. */
function hookFromThread() {
  const hooks = `let port
export const initialize = (data) => { port = data.port }
export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }`
  const { port1, port2 } = new MessageChannel()
  port1.on('message', (url) => urls.add(url))
  port1.unref()
  const source = `data:text/javascript,${encodeURIComponent(hooks)}`
  loader.register(source, import.meta.url, { data: { port: port2 }, transferList: [port2] })
}
