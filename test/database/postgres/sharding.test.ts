import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { placements } from '../../../src/database/tables/placements.ts'
import { allowedUnbound } from '../../harness/allowed-unbound.ts'
import { engines, startVerso } from '../../harness/harness.ts'
import { unboundTables } from '../../harness/shard-reader.ts'

describe('a database sharded by project', () => {
  it('has a place for every table of the schema', async () => {
    for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
      const { db } = (await startVerso(engine)).app.installation
      const { rows } = await sql<{ name: string; key: boolean }>`
        select relname as name, exists (select 1 from pg_attribute where attrelid = pg_class.oid and attname = 'project_id') as key
        from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname
      `.execute(db)
      const onlySqlite = ['search_posts', 'search_titles']
      expect(rows.map(({ name }) => name)).toEqual(
        Object.keys(placements)
          .filter((name) => !onlySqlite.includes(name))
          .sort(),
      )
      const places: Readonly<Record<string, string>> = placements
      expect(rows.filter(({ name, key }) => places[name] === 'with its project' && !key)).toEqual([])
    }
  })

  it('the statements of the program are read, each as the test that sends it runs', async () => {
    for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', tags: ['a'] })
      await verso.get('/v1/posts?tag=a&fields=title')
      const read = [...(globalThis.collectedStatements?.ofProgram ?? [])]
      expect(read.length).toBeGreaterThan(20)
      expect(read.some((statement) => statement.includes('left join "authors" on "authors"."project_id" = $'))).toBe(true)
      await sql`select count(*) as mine from posts`.execute(verso.app.installation.db)
      expect([...(globalThis.collectedStatements?.ofProgram ?? [])].filter((statement) => statement.includes('as mine'))).toEqual([])
    }
  })

  it.each([
    ['select * from posts where posts.project_id = $1', []],
    ['select * from posts where project_id = $1 and id = $2', []],
    ['select * from posts where id = $1', ['posts']],
    ['select * from posts where project_id = $1 or id = $2', ['posts']],
    ['select * from posts where project_id in ($1, $2)', ['posts']],
    [
      'select * from posts as p left join authors as a on a.project_id = p.project_id and a.id = p.author_id where p.project_id = $1',
      ['authors'],
    ],
    ['select * from posts as p left join authors as a on a.project_id = $2 and a.id = p.author_id where p.project_id = $1', []],
    ['select * from (select id from posts where project_id = $1 limit 3) as page join posts on posts.id = page.id', ['posts']],
    ['select id, (select count(*) from tags where tags.project_id = posts.project_id) from posts where project_id = $1', ['tags']],
    ['select 1 from posts where project_id = $1 union all select 1 from tags where slug = $2', ['tags']],
    ['select 1 from posts where project_id = $1 and exists (select 1 from tags where project_id = $2)', []],
    ['select * from api_keys join projects on projects.id = api_keys.project_id where hash = $1', []],
    ['select * from api_keys join project_state on project_state.project_id = api_keys.project_id where hash = $1', ['project_state']],
    ['update posts set title = $1 where id = $2', ['posts']],
    ['update post_tags set status = $1 from posts where posts.id = post_id and post_tags.project_id = $2', ['posts']],
    ['delete from posts', ['posts']],
    ['delete from posts using tags where posts.project_id = $1', ['tags']],
    ['insert into tags (id, project_id) values ($1, $2), ($3, $4)', []],
    ['insert into tags (id) values ($1)', ['tags']],
    ['insert into tags (project_id, id) select $1, id from posts where project_id = $2', []],
    ['insert into tags (project_id, id) select project_id, id from posts where project_id = $1', ['tags']],
  ])('%s: names without a project %j', (statement, found) => {
    expect(unboundTables(statement)).toEqual(found)
  })

  it('every statement that may go without a project says why', () => {
    expect(allowedUnbound.filter(({ what, why }) => what === '' || why === '')).toEqual([])
  })
})
