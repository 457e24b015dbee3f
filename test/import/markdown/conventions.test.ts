import { describe, expect, it } from 'vitest'
import type { MarkdownPost } from '../../../src/import/markdown/post-fields/to-source-post.ts'
import { blogOf, itemsIn, outlineOf } from '../blog-fixture.ts'

const page = '---\ntitle: A page\n---\ntext\n'
const dated = '---\ntitle: A post\ndate: 2020-01-02\n---\ntext\n'

async function postsOf(files: Readonly<Record<string, string>>): Promise<readonly MarkdownPost[]> {
  return (await itemsIn(await blogOf(files))).filter((item) => item.kind === 'post')
}

describe('Jekyll and Hexo: posts lie in _posts and _drafts', () => {
  it('and what lies elsewhere is a page', async () => {
    expect(
      await outlineOf({
        'README.md': '# A blog\n',
        'about.md': page,
        '_config.yml': 'title: A blog\n',
        '_includes/head.html': '<head>',
        '_layouts/post.html': page,
        '_data/nav.yml': '- a\n',
        '_posts/2020-01-02-first.md': page,
        '_posts/news/2020-01-03-second.html': page,
        '_drafts/third.md': page,
        'source/_posts/fourth.md': dated,
      }),
    ).toEqual({
      'README.md': 'page',
      'about.md': 'page',
      '_config.yml': 'other',
      _includes: 'folder',
      _layouts: 'folder',
      '_data/nav.yml': 'data',
      '_posts/2020-01-02-first.md': 'post first, 2020-01-02T00:00:00.000Z',
      '_posts/news/2020-01-03-second.html': 'post second, 2020-01-03T00:00:00.000Z',
      '_drafts/third.md': 'post third, null',
      'source/_posts/fourth.md': 'post fourth, 2020-01-02T00:00:00.000Z',
    })
  })

  it('and a page that sends its reader elsewhere is no post', async () => {
    expect(
      await outlineOf({
        '_posts/2020-01-02-a.md': '---\nredirect_to: /elsewhere\n---\n',
        '_posts/2020-01-03-b.md': '---\nlayout: redirect\n---\n',
        '_posts/2020-01-04-c.md': '---\ntitle: C\nredirect_from: [/old, /older]\n---\n',
      }),
    ).toEqual({
      '_posts/2020-01-02-a.md': 'redirect',
      '_posts/2020-01-03-b.md': 'redirect',
      '_posts/2020-01-04-c.md': 'post c, 2020-01-04T00:00:00.000Z',
    })
  })
})

describe('Hugo and Zola: bundles, sections and languages', () => {
  it('a folder around index.md is a post, _index.md is none', async () => {
    expect(
      await outlineOf({
        'hugo.toml': 'title = "A blog"\n',
        'archetypes/default.md': '---\ntitle: "{{ .Name }}"\n---\n',
        'public/index.html': '<html>',
        'content/_index.md': page,
        'content/post/_index.md': page,
        'content/post/a-bundle/index.md': dated,
        'content/post/a-bundle/index.fr.md': dated,
        'content/post/a-bundle/notes.md': 'a part of it\n',
        'content/post/a-bundle/part.md': dated,
        'content/post/a-bundle/photo.jpg': 'JPG',
        'content/post/2020-05-06-b/index.md': '+++\ntitle = "B"\n+++\n',
        'content/zh-cn/post/c.md': dated,
      }),
    ).toEqual({
      'hugo.toml': 'other',
      archetypes: 'folder',
      public: 'folder',
      'content/_index.md': 'section',
      'content/post/_index.md': 'section',
      'content/post/a-bundle/index.md': 'post a-bundle, 2020-01-02T00:00:00.000Z',
      'content/post/a-bundle/index.fr.md': 'post a-bundle-fr, 2020-01-02T00:00:00.000Z',
      'content/post/a-bundle/notes.md': 'partial',
      'content/post/a-bundle/part.md': 'partial',
      'content/post/a-bundle/photo.jpg': 'other',
      'content/post/2020-05-06-b/index.md': 'post b, 2020-05-06T00:00:00.000Z',
      'content/zh-cn/post/c.md': 'post c-zh-cn, 2020-01-02T00:00:00.000Z',
    })
  })

  it('an index.md above other posts is a section, unless it has a date', async () => {
    expect(await outlineOf({ 'blog/index.md': page, 'blog/a.md': 'text', 'index.md': page })).toEqual({
      'index.md': 'section',
      'blog/index.md': 'section',
      'blog/a.md': 'post a, null',
    })
    expect(await outlineOf({ 'blog/index.md': dated, 'blog/a.md': dated })).toMatchObject({
      'blog/index.md': 'post blog, 2020-01-02T00:00:00.000Z',
    })
  })

  it('the language is that of the folder, the file or the front matter', async () => {
    const posts = await postsOf({
      'content/a.md': dated,
      'content/ja/a.md': dated,
      'content/a-bundle/index.pt-br.md': dated,
      'content/b.md': '---\nlang: uk\n---\n',
      'i18n/zh/blog/c.md': dated,
    })
    expect(Object.fromEntries(posts.map(({ path, origin }) => [path, origin.language]))).toEqual({
      'content/a.md': null,
      'content/ja/a.md': 'ja',
      'content/a-bundle/index.pt-br.md': 'pt-br',
      'content/b.md': 'uk',
      'i18n/zh/blog/c.md': 'zh',
    })
  })

  it('the date and the slug may stand in the path key, old addresses in aliases', async () => {
    const text =
      '+++\npath = "2014/12/12/One-Two"\ntitle = "T"\nauthors = ["A B"]\naliases = ["2014/12/12/One-Two.html"]\n[extra]\nteam = "x"\n+++\nbody'
    expect(await postsOf({ 'content/x.md': text })).toMatchObject([
      {
        slug: 'one-two',
        date: '2014-12-12T00:00:00.000Z',
        content: 'body',
        aliases: ['/2014/12/12/One-Two.html', '/2014/12/12/One-Two'],
        origin: { slug: 'One-Two' },
      },
    ])
  })
})

describe('Docusaurus: blog folders with author files', () => {
  it('an author is looked up in the nearest file, by key', async () => {
    const post = '---\nauthors: [ada, bob, {key: cy, title: Guest}]\n---\n# T\n'
    const [first, second] = await postsOf({
      'blog/authors.yml':
        'ada:\n  name: Ada L.\n  image_url: https://a.example/a.png\n  email: ada@a.example\ncy:\n  name: Cy\n  title: Chef\n',
      'blog/tags.yml': 'a:\n  label: A\n',
      'blog/2020-1-2-a.md': post,
      'i18n/fr/docusaurus-plugin-content-blog/authors.yml': 'ada:\n  name: Adèle\n',
      'i18n/fr/docusaurus-plugin-content-blog/2020-01-02-a.mdx': post,
    })
    expect(first?.authors).toEqual([
      { key: 'ada', name: 'Ada L.', email: 'ada@a.example', bio: null, avatarUrl: 'https://a.example/a.png' },
      { key: 'bob', name: 'bob', email: null, bio: null, avatarUrl: null },
      { key: 'cy', name: 'Cy', email: null, bio: 'Guest', avatarUrl: null },
    ])
    expect(second).toMatchObject({ authors: [{ name: 'Adèle' }, { name: 'bob' }, { name: 'Cy' }], origin: { language: 'fr' } })
  })

  it('documents and partials are no posts', async () => {
    expect(
      await outlineOf({
        'docusaurus.config.ts': 'export default {}',
        'docs/a.md': page,
        'src/pages/b.md': page,
        'blog/_part.mdx': 'a part',
        'blog/2020-01-02-c/index.mdx': page,
        'i18n/fr/docusaurus-plugin-content-docs/a.md': page,
      }),
    ).toEqual({
      'docusaurus.config.ts': 'other',
      docs: 'folder',
      src: 'folder',
      'blog/_part.mdx': 'partial',
      'blog/2020-01-02-c/index.mdx': 'post c, 2020-01-02T00:00:00.000Z',
      'i18n/fr/docusaurus-plugin-content-docs': 'folder',
    })
  })
})

describe('Eleventy: data files speak for the posts around them', () => {
  it('with what a post does not say itself, but never for its name or date', async () => {
    const [a, b] = await postsOf({
      'src/blog/blog.11tydata.json':
        '{"author": "ada", "tags": ["posts"], "permalink": "blog/{{ slug }}/", "title": "Blog", "draft": true}',
      'src/blog/a.11tydata.json': '{"author": "bob"}',
      'src/blog/a.md': '---json\n{"title": "A", "tags": "x", "draft": false}\n---\n',
      'src/blog/b.md': '# B\n',
    })
    expect(a).toMatchObject({ title: 'A', slug: 'a', authors: [{ key: 'bob' }], tags: ['posts', 'x'], status: 'published' })
    expect(b).toMatchObject({ title: 'B', slug: 'b', authors: [{ key: 'ada' }], tags: ['posts'], status: 'draft' })
  })

  it('data that a program makes is named and not run; a post that has such data alone is a draft', async () => {
    const files = {
      'blog/a.md': '# A\n',
      'blog/b.md': '# B\n',
      'blog/b.11tydata.js': 'throw new Error()',
      'blog/blog.11tydata.cjs': 'throw 1',
    }
    const items = await itemsIn(await blogOf(files))
    expect(items).toMatchObject([
      { kind: 'skip', path: 'blog/b.11tydata.js', reason: 'program' },
      { kind: 'skip', path: 'blog/blog.11tydata.cjs', reason: 'program' },
      { path: 'blog/a.md', status: 'published' },
      { path: 'blog/b.md', status: 'draft', notes: expect.arrayContaining([expect.stringContaining('"blog/b.11tydata.js" may say more')]) },
    ])
  })

  const published = async (files: Readonly<Record<string, string>>) =>
    (await postsOf(files)).filter(({ status }) => status === 'published').map(({ path }) => path)
  const computed = (body: string) => `module.exports = { eleventyComputed: { ${body} } }`
  const decides: readonly (readonly [program: string, posts: readonly string[]])[] = [
    ['module.exports = { draft: true }', ['notes/shown.md']],
    ['export default {\n  "permalink": false,\n  tags: "notes",\n}', []],
    ['export default { eleventyExcludeFromCollections: true, layout: "note.njk" }', []],
    [
      '/* draft: true */\n// draft: true\nexport default { layout: "x", permalink: "/n/{{ page.fileSlug }}/" }',
      ['notes/a.md', 'notes/shown.md'],
    ],
    [computed('permalink: (data) => "/n/" + data.page.fileSlug'), ['notes/a.md', 'notes/shown.md']],
    [computed('permalink: (data) => data.draft ? false : data.permalink'), ['notes/a.md', 'notes/shown.md']],
    [computed('permalink: ({ draft, permalink }) => draft ? false : permalink'), ['notes/a.md', 'notes/shown.md']],
    [computed('permalink: (data) => data.ready ? data.permalink : false'), []],
    [computed('eleventyExcludeFromCollections(data) { return isSecret(data) }'), []],
    ['const draft = process.env.CI; module.exports = { draft }', []],
  ]
  it.each(decides)('the program of a folder is not run, and what it may keep back is no public post: %s', async (program, posts) => {
    const files = { 'notes/a.md': '# A\n', 'notes/shown.md': '---\ntitle: B\ndraft: false\n---\n', 'b.md': '# B\n' }
    expect(await published({ ...files, 'notes/notes.11tydata.js': program })).toEqual(['b.md', ...posts])
    expect(await published({ ...files, '_data/eleventyComputed.mjs': computed('permalink: () => secret() && false') })).toEqual([])
  })

  it('a folder is kept back by permalink: false in JSON, by _metadata.yml of Quarto, and where it is itself what is imported', async () => {
    expect(await published({ 'notes/notes.json': '{"permalink": false}', 'notes/a.md': '# A\n', 'b.md': '# B\n' })).toEqual(['b.md'])
    expect(await published({ 'notes/_metadata.yml': 'draft: true\n', 'notes/x/a.md': '# A\n', 'b.md': '# B\n' })).toEqual(['b.md'])
    expect(await published({ '_metadata.yaml': 'draft: true\n', 'a.md': '# A\n' })).toEqual([])
  })

  it('people are found in lists, grouped or not', async () => {
    const [post] = await postsOf({
      'src/_data/team.json':
        '{"installation": [{"username": "ada", "name": "Ada L.", "avatar_url": "https://a.example/a.png", "bio": "Engines"}], "past": []}',
      'src/content/blog/2020-01-02-a.md': '---\nauthors: [ada]\n---\n',
    })
    expect(post?.authors).toEqual([{ key: 'ada', name: 'Ada L.', email: null, bio: 'Engines', avatarUrl: 'https://a.example/a.png' }])
  })

  it('a data file that is broken is at fault, and the posts are read without it', async () => {
    expect(await outlineOf({ 'blog/blog.json': '{\n"author": ada}', 'blog/authors.yml': 'a: [\n', 'blog/a.md': dated })).toMatchObject({
      'blog/blog.json': expect.stringContaining('fault, line 2'),
      'blog/authors.yml': expect.stringContaining('fault, line 2'),
      'blog/a.md': 'post a, 2020-01-02T00:00:00.000Z',
    })
  })
})

describe('Gatsby, Astro and Next.js', () => {
  it('keys of content/authors.yml, pubDate, categories and quoted instants', async () => {
    expect(
      await postsOf({
        'content/authors.yml': 'ada:\n  name: Ada L.\n  url: https://a.example\n',
        'content/blog/2013-06-02-a.md': '---\ntitle: A\nauthor: [ada]\n---\n',
        'src/content/blog/b.mdx': "---\ntitle: B\npubDate: 'Jul 08 2022'\nheroImage: '../b.jpg'\n---\n",
        'pages/en/blog/news/c.md': "---\ndate: '2011-08-12T08:38:30.000Z'\ncategory: news\ntitle: C\nauthor: A, B\nslug: c\n---\n",
      }),
    ).toMatchObject([
      { title: 'A', authors: [{ key: 'ada', name: 'Ada L.' }], date: '2013-06-02T00:00:00.000Z' },
      { title: 'C', authors: [{ name: 'A, B' }], categories: ['news'], origin: { language: 'en', slugFrom: 'front matter' } },
      { title: 'B', date: '2022-07-08T00:00:00.000Z', seo: { ogImage: null } },
    ])
  })

  it('what a repository says of itself, and pages in HTML without a date, are no posts', async () => {
    expect(
      await outlineOf({
        'README.md': '# Read me\n',
        'CODE_OF_CONDUCT.md': 'Be kind\n',
        'README-2.md': dated,
        'index.html': '<html>',
        'b.html': page,
      }),
    ).toEqual({
      'README.md': 'page',
      'CODE_OF_CONDUCT.md': 'page',
      'README-2.md': 'post readme-2, 2020-01-02T00:00:00.000Z',
      'index.html': 'page',
      'b.html': 'page',
    })
  })
})
