import { createHash } from 'node:crypto'
import { chmod, mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderSource } from '../../../src/import/markdown/read-folder.ts'
import { scanFolder } from '../../../src/import/markdown/scan-folder.ts'
import { blogOf, itemsIn, itemsOf, outlineOf } from '../blog-fixture.ts'
import { testNow } from '../post-fixture.ts'

describe('a blog is read', () => {
  it('in code-point order of whole paths, what is no post first', async () => {
    const paths = ['b.md', 'B.md', 'a/z.md', 'a.md', 'a-b.md', 'é.md', '🎉.md', '\uffee.md', 'img.png']
    const root = await blogOf(Object.fromEntries(paths.map((path) => [path, 'text'])))
    const items = await itemsIn(root)
    expect(items.map(({ path }) => path)).toEqual(['img.png', 'B.md', 'a-b.md', 'a.md', 'a/z.md', 'b.md', 'é.md', '\uffee.md', '🎉.md'])
    expect((await scanFolder(root)).candidates).toHaveLength(8)
  })

  it('with the hash of the bytes and the content byte for byte', async () => {
    const text = '\uFEFF---\r\ntitle: A\r\n---\r\n\r\n  body \r\n\r\n'
    const [item] = await itemsIn(await blogOf({ 'a.md': text }))
    expect(item).toMatchObject({ kind: 'post', content: '\r\n  body \r\n\r\n', hash: createHash('sha256').update(text).digest('hex') })
  })

  it('or one file of it', async () => {
    const root = await blogOf({ 'blog/2020-01-02-a.md': '# A\n', 'blog/b.md': '# B\n' })
    expect(await itemsIn(join(root, 'blog/2020-01-02-a.md'))).toMatchObject([
      { path: '2020-01-02-a.md', title: 'A', date: '2020-01-02T00:00:00.000Z' },
    ])
  })

  it('or nothing, where there is nothing', async () => {
    const root = await blogOf({})
    expect(await itemsIn(root)).toEqual([])
    expect(await itemsIn(join(root, 'elsewhere'))).toEqual([
      { kind: 'fault', path: '', line: null, message: 'there is no such file or folder (ENOENT)' },
    ])
  })

  it('without following links, out of the root or in it', async () => {
    const outside = await blogOf({ 'secret.md': '# Secret\n' })
    const root = await blogOf({ 'a.md': '# A\n' })
    await symlink(join(outside, 'secret.md'), join(root, 'b.md'))
    await symlink(outside, join(root, 'c'))
    await mkdir(join(root, 'd'))
    await symlink(root, join(root, 'd/again'))
    expect((await itemsIn(root)).map(({ path, ...item }) => [path, 'reason' in item ? item.reason : item.kind])).toEqual([
      ['b.md', 'link'],
      ['c', 'link'],
      ['d/again', 'link'],
      ['a.md', 'post'],
    ])
  })

  it('without hidden files and the packages of its tools', async () => {
    expect(await outlineOf({ '.git/a.md': 'a', '.a.md': 'a', 'node_modules/b/README.md': 'b' })).toEqual({ node_modules: 'folder' })
  })

  it('naming file and line of every fault, and going on behind it', async () => {
    const broken = Buffer.concat([Buffer.from('---\ntitle: A\n---\nna'), Buffer.from([0xef, 0x76, 0x65]), Buffer.from('\n')])
    expect(
      await outlineOf({
        'a.md': broken,
        'b.md': 'one\ntwo\0\n',
        'c.md': '---\ntitle: "C\n---\n',
        'd.md': '---\n- a\n---\n',
        'e.md': '# E\n',
        'f.md': Buffer.alloc(2 * 1024 * 1024 + 1, 0x61),
        'g.md': '---\ntitle: "\\0"\n---\n',
      }),
    ).toEqual({
      'a.md': 'fault, line 4: the text is not valid UTF-8',
      'b.md': 'fault, line 2: the text holds a NUL character',
      'c.md': 'fault, line 3: not valid YAML: Missing closing "quote; close the quote',
      'd.md': 'fault, line 2: the front matter is no list of names and values',
      'e.md': 'post e, null',
      'f.md': 'fault, line null: the file is larger than 2097152 bytes',
      'g.md': 'fault, line 2: a value holds a NUL character or half of a surrogate pair',
    })
  })

  it('naming a file that went away, or became a link, since the look over the folders', async () => {
    const root = await blogOf({ 'a.md': '# A\n', 'b.md': '# B\n', 'c.md': '# C\n' })
    const scan = await scanFolder(root)
    await rm(join(root, 'a.md'))
    await rm(join(root, 'b.md'))
    await symlink(join(root, 'c.md'), join(root, 'b.md'))
    expect(await itemsOf(folderSource(scan, { now: testNow }))).toMatchObject([
      { kind: 'fault', path: 'a.md', message: 'the file cannot be read (ENOENT)' },
      { kind: 'fault', path: 'b.md', message: 'the file cannot be read (ELOOP)' },
      { kind: 'post', path: 'c.md' },
    ])
  })

  // The superuser may open everything.
  it.skipIf(process.getuid?.() === 0)('naming a folder that the system refuses to open', async () => {
    const root = await blogOf({ 'a.md': '# A\n', 'b/c.md': '# C\n' })
    await chmod(join(root, 'b'), 0o000)
    const items = await itemsIn(root)
    await chmod(join(root, 'b'), 0o700)
    expect(items).toMatchObject([{ kind: 'fault', path: 'b', message: 'the folder cannot be read (EACCES)' }, { path: 'a.md' }])
  })
})
