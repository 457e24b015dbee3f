// Receives webhooks from Verso and verifies their signatures. In a clone of Verso the client is there; elsewhere: npm install /path/to/the/clone/packages/client
//   WEBHOOK_SECRET=whsec_… node examples/receive-webhooks.js [port, default: 3000]
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { UnverifiedWebhook, verifyWebhook } from '@verso/client/webhooks'

const { WEBHOOK_SECRET } = process.env
const port = Number(process.argv[2] ?? 3000)
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of a webhook; verso webhook create prints it.')
  process.exit(1)
}

createServer(async (request, response) => {
  try {
    const { type, data } = await verifyWebhook({ headers: request.headers, body: await buffer(request) }, WEBHOOK_SECRET)
    console.log(`${type} ${data.id ?? ''} (${request.headers['webhook-id']})`)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof UnverifiedWebhook ? 400 : 500).end(error.message)
  }
})
  .on('error', (error) => {
    console.error(`The receiver cannot listen on port ${port}: ${error.message}`)
    process.exit(1)
  })
  .listen(port, '127.0.0.1')
