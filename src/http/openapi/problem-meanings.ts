import type { ProblemCode } from '../../values/problems.ts'

interface Meaning {
  /** When a request gets this problem. */
  readonly when: string
  /** What the client can do. */
  readonly remedy: string
}

/** What each problem means: the source of `docs/reference/problems.md` and of the OpenAPI document. */
export const problemMeanings: Readonly<Record<ProblemCode, Meaning>> = {
  malformed_request: {
    when: 'The request breaks the rules of HTTP/1.1, its path or query is not percent-encoded UTF-8, or `Host` or `Authorization` is given twice.',
    remedy: 'Fix the client. Encode what goes into a URL, for example with `encodeURIComponent`.',
  },
  invalid_parameter: {
    when: 'A query parameter has an invalid value: malformed, out of range, empty, repeated, or in conflict with another parameter. Values are never adjusted.',
    remedy: '`errors` names each such parameter and the values that it takes.',
  },
  unknown_parameter: {
    when: 'This endpoint has no such query parameter. It is refused, so that a typo is not ignored.',
    remedy: '`errors` names the parameter and, if there is one, a known parameter with a similar name.',
  },
  malformed_json: {
    when: 'The body is not JSON in valid UTF-8, is empty where one is required, gives a key of an object twice, or is nested deeper than 20 levels.',
    remedy: '`detail` says where the parser stopped. `errors` names a key that is given twice.',
  },
  invalid_cursor: {
    when: 'The cursor is not from this list, or is from a list with another sort or other filters. In the changes feed: it is from a key that sees other resources.',
    remedy: 'Start again without `cursor`, and keep the sort and the filters the same on every page.',
  },
  unauthenticated: {
    when: 'The request has no API key, or its Authorization header is malformed. At `/studio/session`: nobody is signed in, or the name or the password is not right.',
    remedy: 'Send `Authorization: Bearer <API key>`. Keys are read from no other place.',
  },
  invalid_key: {
    when: 'The API key is mistyped, unknown, expired or revoked.',
    remedy: 'Use another key. `verso key create` makes one.',
  },
  insufficient_scope: {
    when: 'The API key is valid, but does not have the scope that the request needs.',
    remedy: '`scope` names the scope. Use a key that has it.',
  },
  not_found: {
    when: 'The path or the resource does not exist, or this key may not see it: it belongs to another project, is unpublished, or is in the trash. The response is the same in all these cases. A repeated request also gets it if the resource that the first request made was erased.',
    remedy: 'Check the id or the slug, and that the key may see the resource.',
  },
  method_not_allowed: {
    when: 'The path exists, but does not support this method.',
    remedy: 'The header `Allow` names the methods that it supports.',
  },
  not_acceptable: {
    when: 'The Accept header excludes JSON, the only format of responses.',
    remedy: 'Omit the header, or include `application/json`.',
  },
  request_timeout: {
    when: 'The request did not arrive in time: within 15 seconds for its headers and 60 seconds for all of it.',
    remedy: 'Send it again, over a faster connection if possible.',
  },
  slug_conflict: {
    when: 'Another resource has this slug.',
    remedy: 'Choose another slug. `suggestion`, if present, is a free one.',
  },
  alias_conflict: {
    when: 'An alias belongs to another post of the project.',
    remedy: '`postId` names that post. Remove the alias there first, or leave it out here.',
  },
  pending_conflict: {
    when: 'The pending edit and the post have both changed the same field since the edit began.',
    remedy:
      '`conflicts` has both values of each such field. Save the value that holds, with `basedOn` set to `version`, and apply the edit again.',
  },
  in_use: {
    when: 'Other resources refer to this one, so it cannot be deleted.',
    remedy: 'Name a replacement with `reassign_to`, or change those resources first.',
  },
  idempotency_in_progress: {
    when: 'The first request with this idempotency key is still running.',
    remedy: 'Wait a moment and repeat the request. It then gets the response to the first one.',
  },
  cursor_expired: {
    when: 'The cursor points to changes that are no longer kept.',
    remedy: 'Start again without a cursor.',
  },
  stale_version: {
    when: 'The resource has changed since the version in `If-Match`.',
    remedy: 'Read it again, redo the change, and send it with the new ETag. `version` is the current version.',
  },
  body_too_large: {
    when: 'The body is larger than 2 MiB, or than 16 KiB under `/studio/session`.',
    remedy: 'Send less. `content` may have up to 1 MiB.',
  },
  uri_too_long: {
    when: 'The URL is longer than 8 KiB.',
    remedy: 'Shorten it, for example with fewer values in a filter.',
  },
  unsupported_content_type: {
    when: 'The body is not JSON in UTF-8, or is compressed. Files cannot be uploaded.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  validation_failed: {
    when: 'The body is JSON, but does not match the schema: a field is missing, unknown, of the wrong type, too long, or refers to a resource that does not exist. A body with more than 20,000 values is not read at all.',
    remedy: '`errors` names each field and what is wrong with it. Nothing was stored.',
  },
  unsupported_media_type: {
    when: 'The media type of the asset is not supported.',
    remedy: 'Use JPEG, PNG, WebP, GIF or SVG.',
  },
  idempotency_key_reused: {
    when: 'The idempotency key was used for a different request.',
    remedy: 'Make a new key for every new request.',
  },
  rate_limited: {
    when: 'The API key has sent more requests in a minute than this installation allows. Or the key is not valid, and so were too many others from the same address in this minute; a valid key is never refused for that.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  headers_too_large: {
    when: 'The headers are larger than 32 KiB in total.',
    remedy: 'Send fewer or shorter headers. Cookies are not needed.',
  },
  internal: {
    when: 'The service failed unexpectedly.',
    remedy: 'Try again. If the problem persists, look up the `requestId` in the log.',
  },
  not_implemented: {
    when: 'The request uses a part of HTTP that the service does not implement: a transfer coding other than `chunked`, or the method CONNECT.',
    remedy: 'Send the body with `Content-Length` or in chunks, without another transfer coding.',
  },
  overloaded: {
    when: 'The service is too busy, or holds too many large responses that are not read to their end yet. Nothing was written.',
    remedy: 'Repeat the request after the number of seconds in `Retry-After`.',
  },
  storage_full: {
    when: 'The disk is full. Nothing was written. Reading still works.',
    remedy: 'Free some space, then repeat the request.',
  },
  database_unavailable: {
    when: 'The database cannot be reached, or cannot be written to, for example while the installation is moved. Nothing was written.',
    remedy: 'Repeat the request after the number of seconds in `Retry-After`. `/readyz` shows when the database is back.',
  },
  outcome_unknown: {
    when: 'The connection to the database was lost, or the disk failed, while a write was being committed. The write may or may not have been stored.',
    remedy: 'Read the resource to find out, and repeat the write if it is missing.',
  },
  shutting_down: {
    when: 'The service is stopping. Nothing was written.',
    remedy: 'Repeat the request after the number of seconds in `Retry-After`.',
  },
}
