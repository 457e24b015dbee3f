/** What the document says of the whole, in the Markdown that OpenAPI descriptions are written in. */
export const aboutVerso = {
  summary: 'A self-hosted content service: posts, authors and media over HTTP, for people who build websites.',
  description: [
    'Requests and answers are JSON in UTF-8. Names of fields are camelCase, names of query parameters snake_case. Dates are UTC with milliseconds; those sent may have any offset. Ids are opaque.',
    'Lists come in pages, as `{"data": […], "pagination": {…}}`, with the ways to other pages in `Link`. What is not understood is refused: unknown parameters and fields, values out of range.',
    'Everything that goes wrong is answered by a problem document (RFC 9457), whose `code` is from a closed list.',
    'Every GET has a HEAD with the same headers. A GET with the ETag of the answer that you have, in `If-None-Match`, is answered 304 while nothing changed.',
    'Lengths are counted in code points. In the shapes, `x-maxTrimmedLength` is the greatest length once white space at both ends is cut off, and `x-maxBytes` the greatest size in UTF-8.',
  ].join('\n\n'),
}

export const aboutKeys = [
  'An API key of the project: `Authorization: Bearer <API key>`. It is taken from nowhere else, and it alone says which project is meant.',
  'A secret key, `verso_live_…`, is for servers: it may write and see what is unpublished, as far as its scopes go. A public key, `verso_pub_…`, may stand in a web page: it reads what is published.',
  'A key is made with `verso key create` or `POST /v1/admin/keys`, and is shown once.',
].join('\n\n')
