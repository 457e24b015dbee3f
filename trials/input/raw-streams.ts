import type { SeededRandom } from '../harness/seeded-random.ts'

const head = 'Host: a\r\nAuthorization: Bearer <<key>>\r\n'
const json = 'Content-Type: application/json\r\n'

/** Requests as they should be, from which streams are made. */
const whole: readonly string[] = [
  `GET /v1/posts HTTP/1.1\r\n${head}\r\n`,
  `GET /v1/posts?limit=2&sort=-title HTTP/1.1\r\n${head}Accept-Encoding: gzip\r\n\r\n`,
  `HEAD /v1/posts HTTP/1.1\r\n${head}\r\n`,
  `POST /v1/posts HTTP/1.1\r\n${head}${json}Content-Length: 13\r\n\r\n{"title":"a"}`,
  `POST /v1/posts HTTP/1.1\r\n${head}${json}Transfer-Encoding: chunked\r\n\r\nd\r\n{"title":"a"}\r\n0\r\n\r\n`,
  `PATCH /v1/posts/none HTTP/1.1\r\n${head}${json}Content-Length: 2\r\n\r\n{}`,
  `DELETE /v1/posts/none HTTP/1.1\r\n${head}\r\n`,
  'OPTIONS /v1/posts HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /healthz HTTP/1.0\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
]
const pieces: readonly string[] = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    '\t',
    ':',
    ';',
    ',',
    '%',
    '%00',
    '%zz',
    '\xff',
    '\x80',
    '0',
    '-1',
    '99999999999999999999',
    'ffffffffffffffff',
  ],
  ...[
    'Host: b\r\n',
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip\r\n',
    'Expect: 100-continue\r\n',
  ],
  ...[
    'Connection: close\r\n',
    'Connection: upgrade\r\nUpgrade: h2c\r\n',
    'HTTP/2.0',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ' folded\r\n',
    'X: y',
    '\x16\x03\x01',
    'a'.repeat(9_000),
    'b'.repeat(40_000),
  ],
]

/** One or two requests with up to four cuts, insertions or flipped bytes; now and then nothing but random bytes. */
export function rawStream(random: SeededRandom): Buffer {
  if (random.int(20) === 0) return random.bytes(1 + random.int(400))
  const requests = Array.from({ length: 1 + random.int(2) }, () => random.pick(whole)).join('')
  return Array.from({ length: random.int(5) }).reduce<Buffer>((bytes) => mutated(bytes, random), Buffer.from(requests, 'latin1'))
}

function mutated(bytes: Buffer, random: SeededRandom): Buffer {
  const at = random.int(bytes.length + 1)
  const until = Math.min(bytes.length, at + random.int(20))
  switch (random.int(4)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(until)])
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(pieces), 'latin1'), bytes.subarray(at)])
    case 2:
      return Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)])
    default:
      return Buffer.concat([bytes.subarray(0, at), random.bytes(1), bytes.subarray(at + 1)])
  }
}
