// Receives webhooks from Verso and verifies them. Needs one package: npm install standardwebhooks
//   WEBHOOK_SECRET=whsec_… node examples/receive-webhooks.js [port, default: 3000]
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
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
}).listen(Number(process.argv[2] ?? 3000), '127.0.0.1')
