import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../src/http/request/query.ts'
import { planList } from '../../../../src/lists/list-plan.ts'
import { planQuery, titlesToCount, wordsToCount } from '../../../../src/resources/posts/list/plan-query.ts'
import { postList } from '../../../../src/resources/posts/post-schema.ts'
import type { ProjectId } from '../../../../src/values/ids.ts'

const projectId = 'p' as ProjectId
const secret = { projectId, drafts: true, emails: false }
const publicSight = { projectId, drafts: false, emails: false }
const fts5 = { invertedIndex: 'fts5' } as const
const gin = { invertedIndex: 'gin' } as const
const author = 'auth_06dq8k2rxf7e9aw5n4j1t3ybvc'

interface Given {
  readonly sight?: typeof secret
  readonly engine?: typeof fts5 | typeof gin
  readonly titles?: number
  readonly words?: readonly number[]
}

function planned(query: string, { sight = secret, engine = fts5, titles = 0, words }: Given = {}) {
  const plan = planList(postList, parseQuery(query), { scopes: ['posts:read', 'posts:read_drafts'] })
  const { strategies, total, skipsDays } = planQuery(plan, sight, engine, { titles: titlesToCount(plan, sight, engine) && titles, words })
  const run = strategies.map((each) => [each.kind, ...('by' in each ? [each.by] : 'rows' in each ? [each.rows] : [])].join(' ')).join(', ')
  const counted =
    total.kind === 'summed' ? `kept ${total.dimension}` : total.kind === 'counted' ? `counted ${total.strategy.kind}` : total.kind
  return [run, counted, ...(skipsDays ? ['skips days'] : [])]
}

const statuses = (count: number) => `status=${['draft', 'scheduled', 'published', 'archived'].slice(0, count).join()}`
const tags = (count: number) => `tag=${Array.from({ length: count }, (_, i) => `t${i}`).join()}`

describe('planQuery', () => {
  it.each([
    ['', ['read', 'kept all']],
    ['total=false', ['read', 'none']],
    [statuses(1), ['read', 'kept all']],
    [statuses(2), ['merge status', 'kept all']],
    [`${statuses(2)}&sort=title`, ['read', 'kept all']],
    [`${statuses(2)}&sort=published_at`, ['read', 'kept all']],
    ['tag=a', ['merge tag', 'kept tag']],
    ['tag=a&sort=title', ['read', 'kept tag']],
    ['tag=a,b', ['merge tag', 'counted merge']],
    ['tag=a,b&sort=title', ['read', 'counted merge']],
    [`${tags(4)}&total=false`, ['merge tag', 'none']],
    [`${tags(5)}&total=false`, ['read', 'none']],
    [`${tags(16)}&${statuses(1)}&total=false`, ['merge tag', 'none']],
    ['category=a', ['merge category', 'kept category']],
    [`category=a&${statuses(1)}`, ['read', 'kept category']],
    ['category=a,b', ['merge category', 'kept category']],
    [`author=${author}`, ['merge author', 'kept author']],
    ['author=nobody', ['read', 'kept author']],
    [`author=${author}&category=a`, ['read', 'counted read']],
    ['tag=a&category=a', ['read', 'counted read']],
    ['tag=a&updated_after=2026-01-01T00:00:00Z', ['read', 'counted read']],
    ['tag=a&published_after=2026-01-01T00:00:00Z', ['merge tag', 'counted merge']],
    ['category=a&published_before=2026-01-01T00:00:00Z', ['merge category', 'counted merge']],
    ['trashed=true', ['read', 'counted read']],
    ['trashed=true&tag=a', ['read', 'counted read']],
    ['page=101', ['read', 'kept all', 'skips days']],
    ['page=100', ['read', 'kept all']],
    ['page=21&limit=100&status=draft,published', ['merge status', 'kept all', 'skips days']],
    ['page=1000&sort=published_at', ['read', 'kept all']],
    ['page=1000&tag=a', ['merge tag', 'kept tag']],
    ['q=word', ['match numbers', 'counted match']],
    ['q=word&sort=title', ['match posts', 'counted match']],
    ['q=word&search=text', ['match posts', 'counted match']],
    ['q=word&tag=a', ['match posts', 'counted match']],
    ['search=ab', ['read', 'counted read']],
  ])('a secret key, SQLite: %s', (query, expected) => {
    expect(planned(query)).toEqual(expected)
  })

  it.each([
    ['', ['read', 'kept all']],
    ['sort=published_at', ['read', 'kept all']],
    ['tag=a&sort=published_at', ['merge tag', 'kept tag']],
    ['category=a', ['read', 'kept category']],
    ['category=a,b&sort=published_at', ['merge category', 'kept category']],
    [`${tags(16)}&total=false`, ['merge tag', 'none']],
    ['page=101', ['read', 'kept all', 'skips days']],
  ])('a public key, for which there is one status: %s', (query, expected) => {
    expect(planned(query, { sight: publicSight })).toEqual(expected)
  })

  it.each([
    ['search=text', 10_000, ['match numbers', 'known']],
    ['search=text&status=draft', 10_000, ['match numbers', 'counted match']],
    ['search=text&sort=title', 10_000, ['match posts', 'known']],
    ['search=text&tag=a', 10_000, ['match posts', 'counted match']],
    ['search=text', 10_001, ['walk, match numbers', 'known']],
    ['search=text&sort=title', 10_001, ['walk, match posts', 'known']],
    ['search=text&sort=slug', 10_001, ['match posts', 'known']],
    ['search=text&tag=a', 10_001, ['read', 'counted read']],
    ['search=text&trashed=true', 10_001, ['read', 'counted read']],
  ])('by how many titles match: %s, %i', (query, titles, expected) => {
    expect(planned(query, { titles })).toEqual(expected)
  })

  it('asks how many titles match only where it depends on that', () => {
    const asked = (query: string, engine: typeof fts5 | typeof gin = fts5) =>
      titlesToCount(planList(postList, parseQuery(query), { scopes: ['posts:read', 'posts:read_drafts'] }), secret, engine)?.most
    expect(asked('search=text')).toBe('all')
    expect(asked('search=text&total=false')).toBe(10_001)
    expect(asked('search=text&tag=a')).toBe(10_001)
    expect([asked(''), asked('search=ab'), asked('search=text&q=word'), asked('search=text', gin)]).toEqual(Array(4).fill(undefined))
  })

  it('PostgreSQL finds titles and words by indexes of its own', () => {
    expect(planned('search=text', { engine: gin })).toEqual(['read', 'counted read'])
    expect(planned('q=word', { engine: gin, words: [1, 0, 1_000] })).toEqual(['ranks', 'counted unhidden'])
    expect(planned('q=word&sort=title', { engine: gin, words: [1] })).toEqual(['match posts', 'counted unhidden'])
    expect(planned('q=word&tag=a', { engine: gin, words: [1, 0, 1_001] })).toEqual(['ranks', 'counted match'])
  })

  it.each([
    ['q=word', [0, 0, 3], ['none', 'none', 'few']],
    ['q=word', [1_000, 0, 1_001], ['few', 'none', 'many']],
    ['q=two words', [1, 2, 1_001, 5], ['few', 'few', 'many', 'few']],
  ])('PostgreSQL finds few matches first, and looks for many in the order of the list: %s, %j', (query, words, amounts) => {
    const plan = planList(postList, parseQuery(query), { scopes: ['posts:read', 'posts:read_drafts'] })
    expect(wordsToCount(plan, gin)?.by).toBe('rank')
    expect(planQuery(plan, secret, gin, { words }).strategies).toEqual([{ kind: 'ranks', amounts }])
  })

  it.each([1_000, 1_001])('the same in another order, with %i matches', (count) => {
    const plan = planList(postList, parseQuery('q=word&sort=title'), { scopes: ['posts:read', 'posts:read_drafts'] })
    expect(wordsToCount(plan, gin)).toEqual({ words: ['word'], by: 'post' })
    expect(planQuery(plan, secret, gin, { words: [count] }).strategies).toEqual([{ kind: 'match', rows: 'posts', isFew: count === 1_000 }])
  })

  it.each([
    ['q=word', [0, 0, 0]],
    ['q=word&sort=title', [0]],
    ['q=word&tag=a', [0, 0, 0]],
  ])('PostgreSQL asks no more where no post has the words: %s', (query, words) => {
    expect(planned(query, { engine: gin, words })).toEqual(['', 'known'])
    expect(planned(`${query}&total=false`, { engine: gin, words })).toEqual(['', 'none'])
  })

  it('PostgreSQL asks the same for keys that do not see drafts, whether a hidden post has the words or none', () => {
    for (const query of ['q=word', 'q=word&sort=title', 'q=word&tag=a']) {
      const plan = planList(postList, parseQuery(query), { scopes: ['posts:read'] })
      const none = wordsToCount(plan, gin)?.by === 'rank' ? [0, 0, 0] : [0]
      const asked = planQuery(plan, publicSight, gin, { words: none })
      expect(asked.strategies, query).toHaveLength(1)
      expect(planQuery(plan, publicSight, gin, { words: [...none.slice(1), 1] }), query).toEqual(asked)
    }
  })

  it('counts matches of words on PostgreSQL alone', () => {
    const plan = planList(postList, parseQuery('q=word'), { scopes: ['posts:read'] })
    expect(wordsToCount(plan, fts5)).toBeUndefined()
    expect(wordsToCount(planList(postList, parseQuery('search=word'), { scopes: ['posts:read'] }), gin)).toBeUndefined()
  })
})
