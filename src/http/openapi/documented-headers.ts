import type { ByName, Header, Ref } from './openapi-types.ts'

/** The headers of answers. Those that are required come with every answer that names them. */
export const answerHeaders = {
  Accept: header('What the body must be.'),
  'Access-Control-Allow-Origin': header(
    '`*` for public keys and refused ones, so that any web page can read the answer; none for secret keys.',
    {
      required: false,
    },
  ),
  'Cache-Control': header('What caches may do with the answer.'),
  'Content-Encoding': header('`br` or `gzip`, where `Accept-Encoding` prefers that and the answer is long enough to gain by it.', {
    required: false,
  }),
  ETag: header(
    'Changes when the answer does, another one for each content coding: for `If-None-Match` and, of a single resource, `If-Match`.',
  ),
  'ETag-Of-Written': header('Of the resource as it is now: for `If-Match`. None with `dry_run`.', { required: false }),
  'Idempotency-Replayed': header('`true` where the request was done before and this is the answer that it had then.', { required: false }),
  Link: header('The ways to the first, previous, next and last page (RFC 8288).'),
  Location: header('The path of the resource.'),
  'Preference-Applied': header('`server-timing`, where the preference was followed (RFC 7240).', { required: false }),
  'Retry-After': header('Seconds to wait.', { type: 'integer' }),
  'Server-Timing': header('How long the stages of the request took, in milliseconds (W3C Server Timing).', { required: false }),
  Vary: header('What the answer depends on beside the URL.'),
  'WWW-Authenticate': header('How to authenticate (RFC 6750).'),
  'X-Request-Id': header('The id of the request; your own, if you sent one.'),
} as const satisfies ByName<Header>

export type AnswerHeader = keyof typeof answerHeaders

export function headersNamed(...names: readonly AnswerHeader[]): ByName<Ref> {
  return Object.fromEntries(names.map((name) => [name === 'ETag-Of-Written' ? 'ETag' : name, { $ref: `#/components/headers/${name}` }]))
}

function header(description: string, { required = true, type = 'string' } = {}): Header {
  return { description, required, schema: { type } }
}
