import type { ProblemCode } from '../../values/problems.ts'

interface Meaning {
  /** When a request is answered so. */
  readonly when: string
  /** What the one who sent it can do. */
  readonly remedy: string
}

/** What each problem means: the one source of `docs/reference/problems.md`, the OpenAPI document and the page at `/docs`. */
export const problemMeanings: Readonly<Record<ProblemCode, Meaning>> = {
  malformed_request: {
    when: 'The request breaks the rules of HTTP/1.1, or its path or query is not percent-encoded UTF-8.',
    remedy: 'Mend the client. Encode what goes into a URL, with `encodeURIComponent` or its like.',
  },
  invalid_parameter: {
    when: 'A query parameter has a value that it cannot have: of another form, out of range, empty, repeated, or in conflict with another. Nothing is clamped.',
    remedy: '`errors` names every such parameter and what it takes.',
  },
  unknown_parameter: {
    when: 'A query parameter does not exist here. A typing error must not look like an answer.',
    remedy: '`errors` names it and, where there is one, the nearest name that exists.',
  },
  malformed_json: {
    when: 'The body is not JSON in valid UTF-8, is empty where one is needed, or is nested deeper than 20 levels.',
    remedy: '`detail` tells where the parser stopped.',
  },
  invalid_cursor: {
    when: 'The cursor was not made by this list, or was made for another sort or other filters; of the changes feed, for a key that sees other resources.',
    remedy: 'Begin again without `cursor`, and keep sort and filters as they are from page to page.',
  },
  unauthenticated: {
    when: 'There is no API key in the request, or the Authorization header has another form.',
    remedy: 'Send `Authorization: Bearer <API key>`. Keys are taken from nowhere else.',
  },
  invalid_key: {
    when: 'The API key is mistyped, unknown, expired or revoked.',
    remedy: 'Use another key; `verso key create` makes one.',
  },
  insufficient_scope: {
    when: 'The API key is good, but lacks the scope that the request takes.',
    remedy: '`scope` names it. Use a key that has it.',
  },
  not_found: {
    when: 'There is no such path or resource, or it is hidden from this key: another project’s, unpublished, or in the trash. These are not told apart. Or what a repeated request made was erased since.',
    remedy: 'Check the id or slug, and that the key may see it.',
  },
  method_not_allowed: {
    when: 'The path exists, but not for this method.',
    remedy: 'The header `Allow` names the methods that are possible here.',
  },
  not_acceptable: {
    when: 'The Accept header excludes JSON, which is what there is.',
    remedy: 'Leave the header out, or let it name `application/json`.',
  },
  request_timeout: {
    when: 'The request did not arrive whole in time: 15 seconds for its headers, 60 for all of it.',
    remedy: 'Send it again, over a better connection.',
  },
  slug_conflict: {
    when: 'The slug belongs to something else already.',
    remedy: 'Choose another; `suggestion`, where it is given, is one that is free.',
  },
  in_use: {
    when: 'Something refers to it, so it cannot be deleted.',
    remedy: 'Name what takes its place with `reassign_to`, or change what refers to it first.',
  },
  idempotency_in_progress: {
    when: 'The first request with this idempotency key is still running.',
    remedy: 'Wait a moment and repeat the request; it is then answered as the first one was.',
  },
  cursor_expired: {
    when: 'What the cursor points into is not kept any more.',
    remedy: 'Begin again without a cursor.',
  },
  stale_version: {
    when: 'The resource was changed since the version that `If-Match` names.',
    remedy: 'Read it again, make the change anew, and send that with the new ETag. `version` is the present one.',
  },
  body_too_large: {
    when: 'The body is larger than 2 MiB.',
    remedy: 'Send less; `content` may have 1 MiB.',
  },
  uri_too_long: {
    when: 'The URL is longer than 8 KiB.',
    remedy: 'Ask for less at once, such as fewer values of a filter.',
  },
  unsupported_content_type: {
    when: 'The body is something other than JSON in UTF-8, or is compressed. Files are not uploaded here.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  validation_failed: {
    when: 'The body is JSON, but not what is asked for: a field is missing, unknown, of the wrong type, too long, or refers to nothing.',
    remedy: '`errors` names every field and what is wrong with it. Nothing of the body was kept.',
  },
  unsupported_media_type: {
    when: 'The asset is of a kind that is not supported.',
    remedy: 'JPEG, PNG, WebP, GIF and SVG are.',
  },
  idempotency_key_reused: {
    when: 'The idempotency key was used for another request.',
    remedy: 'Make a new key for every new request.',
  },
  rate_limited: {
    when: 'The API key sent more requests than this installation allows.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  headers_too_large: {
    when: 'The headers are larger than 32 KiB together.',
    remedy: 'Send fewer or smaller ones; cookies are not needed.',
  },
  internal: {
    when: 'Something went wrong on our side.',
    remedy: 'Try again. Where it stays, the log knows more under the `requestId`.',
  },
  overloaded: {
    when: 'There is too much to do at this moment. Nothing was written.',
    remedy: 'Repeat the request after `Retry-After` seconds.',
  },
  storage_full: {
    when: 'The disk is full. Nothing was written; reading goes on.',
    remedy: 'Make room, then repeat the request.',
  },
  database_unavailable: {
    when: 'The database cannot be reached, or cannot be written, as while the installation is moved to another one. Nothing was written.',
    remedy: 'Repeat the request after `Retry-After` seconds. `/readyz` tells when it is back.',
  },
  outcome_unknown: {
    when: 'The connection to the database was lost while a write was being committed. It may have been kept, or not.',
    remedy: 'Read the resource to see, and repeat the write if it is not there.',
  },
  shutting_down: {
    when: 'The service is stopping. Nothing was written.',
    remedy: 'Repeat the request after `Retry-After` seconds.',
  },
}
