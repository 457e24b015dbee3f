// Prints, as JSON, the packages that a running service and its command line load, those included that are loaded only when they are needed. Needs dist/.
import { readdirSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'

const hooks = `let port
export const initialize = (data) => { port = data.port }
export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }`
const { port1, port2 } = new MessageChannel()
const urls = new Set()
port1.on('message', (url) => urls.add(url))
port1.unref()
register(`data:text/javascript,${encodeURIComponent(hooks)}`, import.meta.url, { data: { port: port2 }, transferList: [port2] })

const { startApp } = await import('../dist/app.js')
const { readConfig } = await import('../dist/config.js')
const { realContext } = await import('../dist/context.js')
const { openLog } = await import('../dist/cli/log.js')
// The program itself has its packages inside (scripts/build.js); the modules beside it name them.
const isModule = (file) => file.endsWith('.js') && file !== 'cli/main.js' && !file.startsWith('chunks')
const modules = readdirSync(new URL('../dist/', import.meta.url), { recursive: true, encoding: 'utf8' }).map((file) =>
  file.replaceAll('\\', '/'),
)
for (const file of modules.filter(isModule)) await import(`../dist/${file}`)
const config = { ...readConfig({ database: process.argv[2], port: '0' }, {}), logLevel: 'silent', logFormat: 'json' }
const app = await startApp({ config, context: realContext, log: openLog(config) })
await fetch(`${app.url}/v1/posts`)
await app.stop()
await wait(100)

const files = [...Object.keys(createRequire(import.meta.url).cache), ...urls]
const names = files.map((file) => /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]).filter(Boolean)
process.stdout.write(JSON.stringify([...new Set(names)].sort()))
