import { reads, writes } from '../../http/route-config.ts'
import { NewPreview, PreviewCreate, PreviewList, previewList, TriedPreview } from './preview-schema.ts'

const tag = 'Posts'

/** What the documentation says of the routes of preview tokens. */
export const previewOperations = {
  list: reads('posts:read_drafts', {
    id: 'listPreviewTokens',
    tag,
    summary: 'List the preview tokens of a post',
    description: 'Those that work, without the tokens themselves.',
    list: previewList,
    answers: { 200: PreviewList, 304: null },
    problems: ['not_found'],
  }),
  create: writes(
    'posts:write',
    {
      id: 'createPreviewToken',
      tag,
      summary: 'Make a link that shows a post before it is published',
      description:
        'Whoever has the token reads this one post as it is at that time, with `GET /v1/posts/{idOrSlug}?preview_token=…` and no key.',
      body: PreviewCreate,
      answers: { 200: TriedPreview, 201: NewPreview },
      problems: ['not_found'],
    },
    'optional',
  ),
  revoke: writes(
    'posts:write',
    {
      id: 'revokePreviewToken',
      tag,
      summary: 'Revoke a preview token',
      description: 'It stops with the next request.',
      answers: { 204: null },
      problems: ['not_found'],
    },
    'none',
  ),
}
