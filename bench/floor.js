// A bare HTTP server: the least that Node can do for one request.
import { createServer } from 'node:http'

const { status, headers, body } = JSON.parse(process.env.FLOOR)
const bytes = Buffer.from(body, 'base64')
const server = createServer((_, response) => {
  response.writeHead(status, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
process.on('SIGTERM', () => process.exit(0))
