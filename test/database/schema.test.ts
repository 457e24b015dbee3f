import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../src/app/routes.ts'
import { authorList } from '../../src/resources/authors/author-schema.ts'
import { categoryList } from '../../src/resources/categories/category-schema.ts'
import { mediaList } from '../../src/resources/media/media-schema.ts'
import { personList } from '../../src/resources/people/person-schema.ts'
import { postList } from '../../src/resources/posts/post-schema.ts'
import { revisionList } from '../../src/resources/posts/revisions/post-revision-schema.ts'
import { previewList } from '../../src/resources/preview-tokens/preview-schema.ts'
import { keyList } from '../../src/resources/projects/keys/key-schema.ts'
import { redirectList } from '../../src/resources/redirects/redirect-schema.ts'
import { tagList } from '../../src/resources/tags/tag-schema.ts'
import { deliveryList } from '../../src/resources/webhooks/delivery-schema.ts'
import { webhookList } from '../../src/resources/webhooks/webhook-schema.ts'
import { catalogues, keysThatDoNotShard, type TableFacts } from '../harness/catalogue.ts'
import { engines, startVerso, type TestApp, type TestEngine } from '../harness/harness.ts'

const lists: Readonly<Record<string, { readonly sorts: readonly string[] }>> = {
  '/v1/posts': postList,
  '/v1/posts/{idOrSlug}/preview-tokens': previewList,
  '/v1/posts/{idOrSlug}/revisions': revisionList,
  '/v1/authors': authorList,
  '/v1/categories': categoryList,
  '/v1/tags': tagList,
  '/v1/media': mediaList,
  '/v1/redirects': redirectList,
  '/v1/admin/authors': authorList,
  '/v1/admin/categories': categoryList,
  '/v1/admin/keys': keyList,
  '/v1/admin/people': personList,
  '/v1/admin/webhooks': webhookList,
  '/v1/admin/webhooks/{id}/deliveries': deliveryList,
}

async function start(engine: TestEngine) {
  const verso = await startVerso(engine)
  const { db } = verso.app.installation
  return { verso, db, tables: (await catalogues[engine.name]?.(db)) ?? [] }
}

/** The statements of every list in every sort, and the columns that they sort by. */
async function sortedStatements(verso: TestApp) {
  const key = await verso.keyWith('admin', 'posts:read_drafts', 'authors:read', 'media:read')
  const { body: post } = await verso.post('/v1/posts', { title: 'One' })
  const { body: webhook } = await verso.post('/v1/admin/webhooks', { url: 'https://example.com/' }, { key })
  const site = { site_url: 'https://example.com', permalink: '/{slug}' }
  await verso.app.installation.engine.write((tx) => tx.updateTable('projects').set(site).execute())
  verso.statements.length = 0
  for (const [path, { sorts }] of Object.entries(lists))
    for (const sort of sorts)
      expect((await verso.get(`${path.replace('{idOrSlug}', post.id).replace('{id}', webhook.id)}?sort=${sort}`, { key })).status).toBe(200)
  const orders = verso.statements.flatMap((statement) => /order by (.*?)(?: limit|$)/.exec(statement)?.[1] ?? [])
  return {
    orders,
    columns: new Set(orders.flatMap((order) => [...order.matchAll(/"(\w+)"\."(\w+)"/g)].map(([, ...names]) => names.join('.')))),
  }
}

for (const engine of engines) {
  describe(`the schema on ${engine.name}`, () => {
    it('every primary, unique and foreign key, and every index, leads with the project; central tables aside', async () => {
      const { tables } = await start(engine)
      expect(tables.length).toBeGreaterThan(14)
      expect(tables.flatMap(({ indexes }) => indexes).length).toBeGreaterThan(30)
      expect(tables.flatMap(({ references }) => references).length).toBeGreaterThan(8)
      expect(tables.flatMap(keysThatDoNotShard)).toEqual([])
    })

    it('sort keys are never null, and none of them is sorted by the database in its own way', async () => {
      const { verso, tables } = await start(engine)
      const { orders, columns } = await sortedStatements(verso)
      expect(orders.length).toBeGreaterThan(20)
      const nullable = tables.flatMap(({ name, columns: all }) => all.flatMap((each) => (each.nullable ? `${name}.${each.name}` : [])))
      expect(nullable.length).toBeGreaterThan(10)
      expect([...columns].filter((column) => nullable.includes(column))).toEqual([])
      expect(orders.filter((order) => /\b(?:nulls|collate)\b/i.test(order))).toEqual([])
      expect([...columns]).toEqual(expect.arrayContaining(['posts.published_at', 'posts.title_folded', 'authors.name', 'media.filename']))
    })

    it('every join leads with the project', async () => {
      const { verso } = await start(engine)
      await sortedStatements(verso)
      await verso.get('/v1/posts/none')
      await verso.get('/v1/posts?fields=title')
      await verso.get('/v1/posts?tag=a&category=b&author=auth_0&search=c')
      const joins = verso.statements.flatMap((statement) => [
        ...statement.matchAll(/ join \S+(?: as \S+)? on (.*?)(?= (?:inner|left) join | where |$)/g),
      ])
      expect(joins.length).toBeGreaterThan(25)
      // People are a central table.
      const joinsOfProjects = joins.filter(([join]) => !join.startsWith(' join "people" on "people"."id" = '))
      expect(joinsOfProjects.length).toBeLessThan(joins.length)
      expect(
        joinsOfProjects
          .filter(([, condition]) => !/^\(?"\w+"\."project_id" = (?:"\w+"\."project_id"|\$\d+|\?)/.test(condition ?? ''))
          .map(([join]) => join),
      ).toEqual([])
    })
  })
}

describe('the schema on both engines', () => {
  it('has the same tables and columns, types and keys', async () => {
    const [here, there] = await Promise.all(engines.map(async (engine) => (await start(engine)).tables))
    const shape = (tables: readonly TableFacts[] = []) =>
      tables.map(({ name, columns, indexes, references }) => ({
        name,
        columns: columns.map((column) => ({ name: column.name, type: column.type, nullable: column.nullable })),
        // A key that is the row's own number is no index on SQLite.
        keys: indexes
          .map(({ kind, columns: of }) => `${kind} ${of}`)
          .filter((key) => key !== 'primary id')
          .sort(),
        references: references.map((each) => JSON.stringify([each.columns, each.table, each.to])).sort(),
      }))
    expect(shape(here)).toEqual(shape(there))
  })

  it('the lists whose sorts are tried are all that there are', () => {
    const sorted = Object.entries(describeApi().paths).filter(([, { get }]) =>
      get?.parameters?.some((each) => 'name' in each && each.name === 'sort'),
    )
    expect(sorted.map(([path]) => path).sort()).toEqual(Object.keys(lists).sort())
  })

  it('a key that does not lead with the project is found', async () => {
    for (const engine of engines) {
      const { verso, db } = await start(engine)
      await verso.app.installation.engine.migrate(async (schema) => {
        await sql`create table bad (project_id text not null references projects (id), id text not null unique, post_id text, primary key (id, project_id))`.execute(
          schema,
        )
        await sql`create table worse (id text primary key, key_id text references api_keys (id))`.execute(schema)
      })
      const found = (await catalogues[engine.name]?.(db))?.flatMap(keysThatDoNotShard)
      expect(found?.sort()).toEqual([
        'bad: primary key id,project_id',
        'bad: unique key id',
        'worse: primary key id',
        'worse: reference key_id to api_keys',
      ])
      // The database is lent to other tests after this one.
      await verso.app.installation.engine.migrate(async (schema) => {
        for (const table of ['bad', 'worse']) await schema.schema.dropTable(table).execute()
      })
    }
  })

  for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
    it('text on PostgreSQL is compared by code point', async () => {
      const { verso, tables } = await start(engine)
      const texts = tables.flatMap(({ name, columns }) =>
        columns.filter(({ type }) => type === 'text').map((column) => ({ table: name, ...column })),
      )
      expect(texts.length).toBeGreaterThan(60)
      expect(texts.filter(({ collation }) => collation !== 'C')).toEqual([])
      expect(await verso.app.installation.engine.check()).toEqual([])
    })

    it.skipIf(process.env.VERSO_TEST_POSTGRES)('the PostgreSQL of the tests would compare text otherwise by itself', async () => {
      const { db } = await start(engine)
      const letters = sql<{ sorted: string }>`
        select string_agg(letter, '' order by letter) as sorted from unnest(array['a', 'B', 'é', 'Z', '1']) as letter
      `
      expect((await letters.execute(db)).rows).toEqual([{ sorted: '1aBéZ' }])
    })
  }
})
