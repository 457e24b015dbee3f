import { describe, expect, it, onTestFinished } from 'vitest'
import { engines } from '../../harness/harness.ts'
import { addressText, verso } from '../../harness/program.ts'
import { blogOf } from '../blog-fixture.ts'
import { ghostExport, ghostPost, idOf } from '../ghost/ghost-fixture.ts'
import { item, wxr } from '../wordpress/wxr-fixture.ts'
import { fileOf, itemsIn } from './export-fixture.ts'

const whole = wxr([item({ id: 1 }), item({ id: 2 })])
const ghost = ghostExport({ posts: [ghostPost(), ghostPost({ id: idOf(2) })] })
const bombs = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'

describe('an export that is none', () => {
  it.each([
    ['cut off', 'e.xml', whole.slice(0, -60), /^\d+: the file ends before its end/],
    ['cut off within a post', 'e.xml', whole.slice(0, whole.indexOf('<wp:post_id>2')), /^\d+: the file ends before its end/],
    ['not closed rightly', 'e.xml', whole.replace('</wp:post_id>', '</wp:id>'), /^11: the XML is broken/],
    ['of another encoding by its own word', 'e.xml', whole.replace('UTF-8', 'ISO-8859-1'), /^1: the file says that it is in ISO-8859-1/],
    [
      'with a byte that is not UTF-8',
      'e.xml',
      Buffer.concat([Buffer.from(whole.slice(0, 700)), Buffer.from([0xe9]), Buffer.from(whole.slice(700))]),
      /^\d+: a byte is not UTF-8/,
    ],
    ['in UTF-16', 'e.xml', Buffer.from(`\ufeff${whole}`, 'utf16le'), /^1: the file is in UTF-16/],
    ['with entities of its own', 'e.xml', whole.replace('<rss', `${bombs}<rss`), /^\d+: the file declares entities/],
    [
      'with an attribute of 10 MB',
      'e.xml',
      whole.replace('<channel>', `<channel x="${'x'.repeat(10_000_000)}">`),
      /^\d+: the attribute x has 10000000 characters/,
    ],
    [
      'nested like no export',
      'e.xml',
      whole.replace('<wp:post_id>1', `${'<x>'.repeat(100_000)}<wp:post_id>1`),
      /^\d+: elements are nested deeper/,
    ],
    ['in UTF-16 without a mark', 'e.xml', Buffer.from(`\n ${whole}`, 'utf16le'), /^1: the file is in UTF-16/],
    [
      'with a million attributes',
      'e.xml',
      whole.replace('<channel>', `<channel ${Array.from({ length: 100_000 }, (_, i) => `a${i}="1"`).join(' ')}>`),
      /^\d+: an element has more than 100 attributes/,
    ],
    [
      'Ghost, nested deeper than the stack',
      'g.json',
      ghost.replace('"A ship"', `${'['.repeat(1e6)}${']'.repeat(1e6)}`),
      /^1: values are nested/,
    ],
    ['empty', 'e.xml', '', /the file is empty/],
    ['another feed', 'e.xml', '<?xml version="1.0"?><rss><channel></channel></rss>', /no export of WordPress/],
    ['an archive of Zstandard', 'e.xml', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1]), /an archive/],
    ['an archive', 'e.xml', Buffer.from('PK\x03\x04rest'), /an archive/],
    ['an archive of another name', 'export.zip', Buffer.from('PK\x03\x04rest'), /an archive/],
    ['Ghost, cut off', 'g.json', ghost.slice(0, -30), /^1: the file ends before its end/],
    ['Ghost, broken', 'g.json', ghost.replace('"slug":', '"slug"'), /^1: the JSON is broken/],
    ['Ghost, members only', 'g.json', ghostExport({ members: [{ id: 'm' }, { id: 'n' }], posts: [] }), /2 members and no posts/],
    ['Ghost without posts', 'g.json', ghostExport({ posts: [] }), /has no posts/],
    ['other JSON', 'g.json', '{"name": "x", "version": 1}', /no export of Ghost/],
    ['other JSON with data', 'g.json', '{"data": [1, 2, 3]}', /no export of Ghost/],
    ['a list', 'g.json', '[{"db": 1}]', /no export of Ghost/],
  ])('%s is refused before anything is read from it', async (_, name, content, message) => {
    const path = await fileOf(name, content)
    const error = await itemsIn(path).then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(`${error?.line === null ? '' : `${error?.line}: `}${error?.message}`).toMatch(message)
  })

  it('a folder of exports is refused, and one of them named', async () => {
    const root = await blogOf({ 'a.xml': whole, 'b.json': ghost, 'c.json': '{}' })
    await expect(itemsIn(root)).rejects.toThrow(/\(a\.xml, b\.json\); import each file by itself/)
  })

  it('a post of HTML that nobody could show is named with its line, and the others are read', async () => {
    const items = await itemsIn(
      await fileOf(
        'e.xml',
        wxr([
          item({ id: 1, content: '<div>'.repeat(100_000) }),
          item({ id: 2, content: `<p title="${'x'.repeat(10_000_000)}">a</p>` }),
          item({ id: 3 }),
        ]),
      ),
    )
    expect(items).toMatchObject([
      { kind: 'fault', line: 10, message: expect.stringContaining('nested deeper than 500') },
      { kind: 'fault', message: expect.stringContaining('characters of HTML') },
      { kind: 'post' },
    ])
  })
})

describe('an export that is too much', () => {
  it('of values in one field, links of one post, and depth of a text is read all the same', async () => {
    const meta = `<wp:postmeta><wp:meta_key>k</wp:meta_key>${'<wp:meta_value>v</wp:meta_value>'.repeat(100_000)}</wp:postmeta>`
    expect(await itemsIn(await fileOf('e.xml', wxr([item({ more: meta })])))).toMatchObject([{ kind: 'post' }])
    const links = Array.from({ length: 50_000 }, (_, i) => ({ post_id: idOf(1), tag_id: `t${i}`, sort_order: i }))
    const list = '{"type":"list","children":['
    const lexical = `{"root":{"children":[${list.repeat(20_000)}{"text":"deep"}${']}'.repeat(20_000)}]}}`
    const path = await fileOf('g.json', ghostExport({ posts: [ghostPost({ id: idOf(1), html: null, lexical })], posts_tags: links }))
    expect(await itemsIn(path)).toMatchObject([{ kind: 'post', content: expect.stringContaining('deep') }])
  })

  it('of a synced block that stands in a post many times is named with its line', async () => {
    const block = item({ id: 1, type: 'wp_block', content: 'x'.repeat(1_000_000) })
    const post = item({ id: 2, content: '<!-- wp:block {"ref":1} /-->'.repeat(10_000) })
    const items = await itemsIn(await fileOf('e.xml', wxr([block, post])))
    expect(items).toMatchObject([{ kind: 'skip' }, { kind: 'fault', line: 14, message: expect.stringContaining('characters of HTML') }])
  })
})

describe('verso import of an export', () => {
  const [engine] = engines

  it('1 and one line with file and place, nothing imported; 2 where the address of the site is missing; then what was there before goes on', async () => {
    const made = await engine?.create()
    if (!made) throw new Error('there is no engine')
    onTestFinished(made.drop)
    const database = ['--database', addressText(made.address)]
    expect((await verso(['project', 'create', 'default', ...database])).code).toBe(0)
    const broken = await fileOf('e.xml', whole.slice(0, -60))
    expect(await verso(['import', broken, ...database])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: \S+e\.xml:\d+: the file ends before its end \([^\n]*\)\n$/),
    })
    const unnamed = await fileOf('g.json', ghost.replace('Hello', '__GHOST_URL__'))
    expect(await verso(['import', unnamed, ...database])).toMatchObject({ code: 2, stderr: expect.stringMatching(/--site-url/) })
    const ended = await verso(['import', await fileOf('e.xml', whole), ...database])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^posts created +2$/m)
  })
})
