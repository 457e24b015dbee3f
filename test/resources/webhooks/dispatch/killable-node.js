import pino from 'pino'
import { readConfig } from '../../../../dist/app/config.js'
import { startApp } from '../../../../dist/app/start-app.js'
import { realContext } from '../../../../dist/context.js'

/** Verso as it is built, in a process of its own: its clock and the turns of its webhooks are in the hands of the one who started it. */
let now = new Date(0)
const context = { ...realContext, now: () => now, repeat: () => ({ stop: async () => undefined }) }
let webhooks

process.on('message', async (message) => {
  now = new Date(message.now)
  if (message.start) await start(message.start)
  else await webhooks.runOnce()
  process.send('done')
})
process.on('disconnect', () => process.exit())

async function start({ database, env }) {
  const config = { ...readConfig({ host: '127.0.0.1', port: '0' }, env), database }
  const { jobs } = await startApp({ config, context, log: pino({ level: 'error' }, pino.destination(2)) })
  webhooks = jobs.find(({ name }) => name === 'webhooks')
}
