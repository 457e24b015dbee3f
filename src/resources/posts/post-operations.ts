import { opensForPreviews, reads, writes } from '../../http/route-config.ts'
import { Post, PostCreate, PostList, PostPatch, PostRestore, postList } from './post-schema.ts'

const tag = 'Posts'

/** What the documentation says of the routes of posts. */
export const postOperations = {
  list: reads('posts:read', {
    id: 'listPosts',
    tag,
    summary: 'List posts',
    description:
      'Newest first. A key without `posts:read_drafts` sees published posts alone; one with it sees every status unless `status` is given.',
    list: postList,
    answers: { 200: PostList, 304: null },
  }),
  read: opensForPreviews(
    reads('posts:read', {
      id: 'getPost',
      tag,
      summary: 'Read a post by id or slug',
      description:
        'A slug that the post had before answers 301 with the way to the present one. With `preview_token`, no key is needed: the answer is the post that the token is for, whatever its status, and nobody keeps it.',
      texts: {
        preview_token:
          'A preview token of this post. It decides alone: where it does not open this post the answer is 404, with or without a key.',
      },
      answers: { 200: Post, 301: null, 304: null },
      problems: ['not_found'],
    }),
  ),
  create: writes('posts:write', {
    id: 'createPost',
    tag,
    summary: 'Create a post',
    description:
      'A draft unless `status` is given. The slug is made from the title unless `slug` is given. Publishing and scheduling need `posts:publish`.',
    body: PostCreate,
    answers: { 201: Post },
    problems: ['slug_conflict'],
  }),
  patch: writes('posts:write', {
    id: 'updatePost',
    tag,
    summary: 'Change a post',
    description:
      'A JSON merge patch (RFC 7396). Every status can follow every other. What is or becomes published or scheduled needs `posts:publish`. `If-Match` guards against overwriting somebody else’s change.',
    body: PostPatch,
    answers: { 200: Post },
    problems: ['not_found', 'stale_version', 'slug_conflict'],
  }),
  delete: writes(
    undefined,
    {
      id: 'deletePost',
      tag,
      summary: 'Delete a post',
      description:
        'Into the trash for 30 days (`posts:write`), or for good with `permanent=true` (`posts:delete`). Deleting by id what is deleted already is no mistake.',
      flags: { permanent: 'Erase the post, its revisions and all that only it has.' },
      answers: { 204: null },
      problems: ['not_found', 'stale_version'],
    },
    'none',
  ),
  restore: writes(
    'posts:write',
    {
      id: 'restorePost',
      tag,
      summary: 'Bring a post back from the trash',
      description:
        'As it was. A scheduled time that has passed meanwhile makes it a draft; a slug that is another’s by now is a conflict, which a `slug` in the body resolves.',
      body: PostRestore,
      answers: { 200: Post },
      problems: ['not_found', 'stale_version', 'slug_conflict'],
    },
    'optional',
  ),
}
