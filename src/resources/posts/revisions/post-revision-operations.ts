import { reads, writes } from '../../../http/route-config.ts'
import { Post } from '../post-schema.ts'
import { PostDiff, PostRevisionList, revisionList } from './post-revision-schema.ts'

const tag = 'Posts'

/** What the documentation says of the routes of revisions. */
export const revisionOperations = {
  list: reads('posts:read_drafts', {
    id: 'listPostRevisions',
    tag,
    summary: 'List the versions of a post',
    description: 'The latest first. Every write keeps one.',
    list: revisionList,
    answers: { 200: PostRevisionList, 304: null },
    problems: ['not_found'],
  }),
  read: reads('posts:read_drafts', {
    id: 'getPostRevision',
    tag,
    summary: 'Read a post as it stood',
    description: 'Author and category have the names that they have now, and are `null` where they were deleted since.',
    answers: { 200: Post, 304: null },
    problems: ['not_found'],
  }),
  diff: reads('posts:read_drafts', {
    id: 'diffPostRevision',
    tag,
    summary: 'Compare two versions of a post',
    texts: { against: 'The version to compare with; the one before where it is left out.' },
    answers: { 200: PostDiff, 304: null },
    problems: ['not_found'],
  }),
  restore: writes(
    'posts:write',
    {
      id: 'restorePostRevision',
      tag,
      summary: 'Bring back what a post said',
      description:
        'Title, content, excerpt, tags, seo, author and category of that version become a new version; status, slug and dates stay as they are. An author or category deleted since becomes `null`. A post that is published or scheduled needs `posts:publish`.',
      answers: { 200: Post },
      problems: ['not_found', 'stale_version'],
    },
    'none',
  ),
}
