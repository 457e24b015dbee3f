// Receives webhooks from Verso and verifies their signatures. In a clone of Verso the package is there; elsewhere: npm install standardwebhooks
//   WEBHOOK_SECRET=whsec_… node examples/receive-webhooks.js [port, default: 3000]
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const { WEBHOOK_SECRET } = process.env
const port = Number(process.argv[2] ?? 3000)
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of a webhook; verso webhook create prints it.')
  process.exit(1)
}

const webhook = new Webhook(WEBHOOK_SECRET)
createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  try {
    const { type, data } = webhook.verify(body, request.headers)
    console.log(`${type} ${data.id ?? ''} (${request.headers['webhook-id']})`)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(400).end(error.message)
  }
})
  .on('error', (error) => {
    console.error(`The receiver cannot listen on port ${port}: ${error.message}`)
    process.exit(1)
  })
  .listen(port, '127.0.0.1')
