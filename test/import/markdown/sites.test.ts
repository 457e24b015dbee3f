import { describe, expect, it } from 'vitest'
import type { ReadSettings } from '../../../src/import/markdown/post-fields/parsed-post.ts'
import { mapPictures } from '../../../src/import/markdown/post-fields/pictures.ts'
import type { MarkdownPost } from '../../../src/import/markdown/post-fields/to-source-post.ts'
import { blogOf, itemsIn, outlineOf } from '../blog-fixture.ts'
import { itemOf, postOf } from '../post-fixture.ts'

const page = '---\ntitle: A page\n---\ntext\n'
const dated = '---\ntitle: A post\ndate: 2020-01-02\n---\ntext\n'

async function postsOf(files: Readonly<Record<string, string>>, settings: Partial<ReadSettings> = {}): Promise<readonly MarkdownPost[]> {
  return (await itemsIn(await blogOf(files), settings)).filter((item) => item.kind === 'post')
}

async function slugsOf(files: Readonly<Record<string, string>>, settings: Partial<ReadSettings> = {}) {
  return Object.fromEntries((await postsOf(files, settings)).map(({ path, slug }) => [path, slug]))
}

describe('folders', () => {
  it('with a name that begins with _ hold posts where nothing else does', async () => {
    expect(await outlineOf({ 'README.md': page, '_articles/2020-01-02-a.md': page, '_layouts/x.md': page })).toMatchObject({
      '_articles/2020-01-02-a.md': 'post a, 2020-01-02T00:00:00.000Z',
      _layouts: 'folder',
    })
    expect(await outlineOf({ 'blog/a.md': dated, 'blog/_parts/b.md': page, '_notes/c.md': page })).toMatchObject({
      'blog/a.md': expect.stringContaining('post a'),
      'blog/_parts/b.md': 'partial',
      '_notes/c.md': 'partial',
    })
  })

  it('of the collections of Jekyll are read; without "output: true" they are no pages, so their files are drafts', async () => {
    const posts = await postsOf({
      '_config.yml': 'collections:\n  articles:\n    output: true\n  notes: {}\n',
      '_articles/a.md': dated,
      '_articles/deep/b.md': dated,
      '_notes/c.md': dated,
      '_other/d.md': dated,
      'about.md': page,
    })
    expect(posts.map(({ path, status }) => [path, status])).toEqual([
      ['_articles/a.md', 'published'],
      ['_articles/deep/b.md', 'published'],
      ['_notes/c.md', 'draft'],
    ])
  })

  it("of a site's root are recognised below the imported folder", async () => {
    expect(
      await outlineOf({
        'web/docusaurus.config.js': '',
        'web/docs/a.md': page,
        'web/blog/2020-01-02-b.md': page,
        'web/blog/2020-01-03-c.md': page,
        'site/hugo.toml': '',
        'site/archetypes/default.md': '---\ntitle: "{{ .Name }}" x\n---\n',
        'site/content/posts/d.md': dated,
      }),
    ).toMatchObject({ 'web/docs': 'folder', 'site/archetypes': 'folder', 'site/content/posts/d.md': expect.stringContaining('post d') })
  })

  it('of pages are left out where sections hold posts', async () => {
    expect(
      await outlineOf({
        'content/about.md': dated,
        'content/search/index.md': page,
        'content/2020-01-02-dated.md': page,
        'content/page/links.md': page,
        'content/posts/a.md': dated,
        'content/posts/b.md': dated,
        'content/posts/c.md': dated,
        'content/posts/d.md': dated,
      }),
    ).toMatchObject({
      'content/about.md': 'page',
      'content/search/index.md': 'page',
      'content/2020-01-02-dated.md': expect.stringContaining('post dated'),
      'content/page/links.md': 'page',
      'content/posts/a.md': expect.stringContaining('post a'),
    })
    expect(await outlineOf({ 'content/a.md': dated, 'content/b.md': dated, 'content/notes/c.md': dated })).toMatchObject({
      'content/a.md': expect.stringContaining('post a'),
    })
  })

  it('of drafts hold drafts', async () => {
    const posts = await postsOf({ 'posts/a.md': dated, 'drafts/b.md': dated, 'posts/Draft/c.md': dated })
    expect(posts.map(({ status }) => status)).toEqual(['draft', 'draft', 'published'].sort())
  })
})

describe('dates', () => {
  it.each([
    ['2020/09-25-a-name.md', 'a-name', '2020-09-25T00:00:00.000Z'],
    ['blog/2020/09/25/a-name.md', 'a-name', '2020-09-25T00:00:00.000Z'],
    ['blog/2020/09/25/a-name/index.md', 'a-name', '2020-09-25T00:00:00.000Z'],
    ['blog/2020/09/25-a-name.md', '25-a-name', null],
  ])('in the path %s are not part of the slug', (path, slug, date) => {
    expect(postOf('text', path)).toMatchObject({ slug, date })
  })

  it('that are impossible give way to that of the file name, with a note', () => {
    expect(postOf('---\ndate: 2017-02-29 11:00\n---\n', '2017-03-01-a.md')).toMatchObject({
      date: '2017-03-01T00:00:00.000Z',
      notes: expect.arrayContaining([expect.stringContaining('"2017-02-29 11:00" does not exist')]),
    })
    expect(itemOf('---\ndate: 2017-02-29\n---\n', 'a.md')).toMatchObject({ kind: 'fault' })
  })

  it.each([
    ['2020-01-02 03:04:05 -4', '2020-01-02T07:04:05.000Z'],
    ['2020-01-02 03:04:05 +5:30', '2020-01-01T21:34:05.000Z'],
    ['2020-01-02 03:04:05 +0200', '2020-01-02T01:04:05.000Z'],
  ])('%s is %s', (text, date) => {
    expect(postOf(`---\ndate: ${text}\n---\n`)).toMatchObject({ date, losses: expect.not.objectContaining({ zone: 1 }) })
  })

  it("without a zone are in that of the site's configuration, else UTC and counted", async () => {
    const files = { '_posts/2020-07-01-a.md': '---\ndate: 2020-07-01 12:00\n---\n' }
    const name = 'dates without a zone, taken as UTC (--timezone names another)'
    expect(await postsOf(files)).toMatchObject([{ date: '2020-07-01T12:00:00.000Z', losses: { [name]: 1 } }])
    const [post] = await postsOf({ ...files, '_config.yml': 'timezone: Europe/Berlin\n' })
    expect(post?.date).toBe('2020-07-01T10:00:00.000Z')
    expect(post?.losses).not.toHaveProperty([name])
  })

  it('are also those of Franklin, between "+++" and in lines', () => {
    const text = 'date = Date(2020, 1, 2)'
    expect(postOf(`+++\ntitle = "A"\n${text}\n+++\n`).date).toBe('2020-01-02T00:00:00.000Z')
    expect(postOf(`@def title = "A"\n@def ${text}\n`).date).toBe('2020-01-02T00:00:00.000Z')
  })

  it('of expiry that have passed make an archived post, and a later date of publication holds it back', () => {
    expect(postOf('---\ndate: 2020-01-01\nexpiryDate: 2021-01-01\n---\n')).toMatchObject({ status: 'archived', date: expect.any(String) })
    expect(postOf('---\ndate: 2020-01-01\nexpiryDate: 2999-01-01\n---\n')).toMatchObject({ status: 'published' })
    expect(postOf('---\ndate: 2020-01-01\npublishDate: 2999-01-01\n---\n')).toMatchObject({ date: '2999-01-01T00:00:00.000Z' })
    expect(postOf('---\ndate: 2020-01-01\narchived: true\n---\n')).toMatchObject({ status: 'archived' })
  })
})

describe('what is not public', () => {
  it.each([
    'isDraft: true',
    'draft: "true"',
    'publish: false',
    'public: no',
    'hidden: true\nunlisted: false',
    'unlisted: false\nhidden: true',
    'visibility: members',
    'access: paid',
    'status: in-progress',
    'post_status: private',
    'password: "1234"',
    'permalink: false',
    'render: false',
    'headless: true',
    'eleventyExcludeFromCollections: true',
    'build:\n  list: never',
    '_build:\n  render: false',
    'params:\n  draft: true',
    'layout: draft',
    'meta:\n  draft: true',
    'online: false',
    'visibility: [members]',
    'access: {roles: [staff]}',
    'published: [false]',
    'article: false',
    '_discoverable: no',
    'enabled: no',
    'active: 0',
    'live: false',
    'disabled: true',
    'exclude: true',
    'premium: true',
    'hide: true',
    'visibility: friends',
    'audience: staff',
    'status: in-review',
    'status: Entwurf',
    'meta:\n  status: draft',
    'tags: [news, draft]',
    'tags: private, x',
    'base: &b\n  draft: true\n<<: *b',
    '<<: [{title: B}, {published: false}]',
  ])('%j is a draft', (fields) => {
    expect(postOf(`---\ntitle: A\ndate: 2020-01-01\n${fields}\n---\n`).status).toBe('draft')
  })

  it('by the end of its name is a draft; until its date, a post of AstroPaper is held back', () => {
    expect(postOf('---\ntitle: A\ndate: 2020-01-01\n---\n', 'a.draft.md').status).toBe('draft')
    expect(postOf('---\ntitle: A\npubDatetime: 2999-01-02T03:04:05Z\n---\n').date).toBe('2999-01-02T03:04:05.000Z')
    const later = postOf('---\ntitle: A\ndate: 2020-01-01\npublish_on: 2999-01-02\n---\n')
    expect(later).toMatchObject({ date: '2999-01-02T00:00:00.000Z', losses: expect.not.objectContaining({ 'field publish_on': 1 }) })
  })

  it('by defaults of Jekyll or a cascade of Hugo is a draft', async () => {
    const statuses = async (files: Readonly<Record<string, string>>) =>
      Object.fromEntries((await postsOf(files)).map(({ path, status }) => [path, status]))
    expect(
      await statuses({
        '_config.yml':
          'defaults:\n- scope: {path: "secret"}\n  values: {published: false}\n- scope: {path: "", type: pages}\n  values: {draft: true}\n',
        'secret/_posts/2020-01-02-a.md': page,
        'open/_posts/2020-01-02-b.md': page,
      }),
    ).toEqual({ 'secret/_posts/2020-01-02-a.md': 'draft', 'open/_posts/2020-01-02-b.md': 'published' })
    expect(
      await statuses({
        '_config.yml':
          'defaults:\n- scope: {path: "_posts/hid*/x"}\n  values: {published: false}\n- scope: {path: "_posts/2020-01-03-c.md"}\n  values: {draft: true}\n',
        '_posts/hidden/x/2020-01-02-a.md': page,
        '_posts/hidden/y/2020-01-02-b.md': page,
        '_posts/2020-01-03-c.md': page,
      }),
    ).toEqual({
      '_posts/hidden/x/2020-01-02-a.md': 'draft',
      '_posts/hidden/y/2020-01-02-b.md': 'published',
      '_posts/2020-01-03-c.md': 'draft',
    })
    expect(
      await statuses({
        'hugo.toml': '[[cascade]]\ndraft = true\n[cascade.target]\npath = "{/a/b,/news/plan-*}"\n[[cascade]]\nauthor = "x"\n',
        'content/news/a.md': dated,
        'content/news/plan-b.md': dated,
      }),
    ).toEqual({ 'content/news/a.md': 'published', 'content/news/plan-b.md': 'draft' })
    expect(
      await statuses({
        'hugo.toml': '',
        'content/news/_index.md': '---\ncascade:\n- target: {path: /news/plan-*}\n  draft: true\n---\n',
        'content/news/plan-b/index.md': dated,
        'content/news/plan-c.md': dated,
        'content/news/open.md': dated,
      }),
    ).toEqual({ 'content/news/plan-b/index.md': 'draft', 'content/news/plan-c.md': 'draft', 'content/news/open.md': 'published' })
    expect(
      await statuses({
        'hugo.toml': '',
        'content/secret/_index.md': '---\ncascade:\n  build:\n    list: never\n---\n',
        'content/secret/a.md': dated,
        'content/later/_index.md': '---\ncascade:\n- params: {draft: true}\n---\n',
        'content/later/b.md': dated,
        'content/open/_index.md': '---\ndraft: true\n---\n',
        'content/open/c.md': dated,
      }),
    ).toEqual({ 'content/secret/a.md': 'draft', 'content/later/b.md': 'draft', 'content/open/c.md': 'published' })
    expect(
      await statuses({
        'config.toml': 'base_url = "https://a.example"\n',
        'content/secret/_index.md': '+++\ntitle = "Secret"\ndraft = true\n+++\n',
        'content/secret/deep/a.md': dated,
        'content/open/_index.md': '+++\ntitle = "Open"\n+++\n',
        'content/open/b.md': dated,
      }),
    ).toEqual({ 'content/secret/deep/a.md': 'draft', 'content/open/b.md': 'published' })
    expect(
      await statuses({
        'hugo.toml': '[[cascade]]\ndraft = true\n[cascade._target]\npath = "/secret/**"\n[[cascade]]\nlayout = "x"\n',
        'content/secret/deep/a.md': dated,
        'content/open/b.md': dated,
      }),
    ).toEqual({ 'content/secret/deep/a.md': 'draft', 'content/open/b.md': 'published' })
    // Nikola keeps fields in a file of their own.
    expect(
      await statuses({
        'posts/a.md': page,
        'posts/a.meta': '.. title: A\n.. status: private\n',
        'posts/b.md': '<!--\n.. title: B\n-->\nx\n',
      }),
    ).toEqual({ 'posts/a.md': 'draft', 'posts/b.md': 'draft' })
  })

  it.each([
    'visibility: public',
    'access: everyone',
    'status: publish',
    'status: evergreen',
    'tags: [drafts of laws]',
    'hidden: false',
    'render: always',
    'password:',
    'build:\n  list: always',
  ])('%j is public', (fields) => {
    expect(postOf(`---\ntitle: A\n${fields}\n---\n`).status).toBe('published')
  })
})

describe('categories, tags and authors', () => {
  it('of Astro: a collection with a file for each author', async () => {
    const posts = await postsOf({
      'src/content/authors/ada.md': '---\nname: Ada Lovelace\nemail: ada@a.example\n---\nShe wrote.\n',
      'src/content/authors/bob.json': '{"name": "Bob", "bio": "He read."}',
      'src/content/blog/a.md': '---\ntitle: A\nauthor: ada\n---\n',
      'src/content/blog/b.md': '---\ntitle: B\nauthor: {collection: authors, id: bob}\n---\n',
    })
    expect(posts.map(({ path, authors }) => [path, authors])).toEqual([
      ['src/content/blog/a.md', [{ key: 'ada', name: 'Ada Lovelace', email: 'ada@a.example', bio: 'She wrote.', avatarUrl: null }]],
      ['src/content/blog/b.md', [{ key: 'bob', name: 'Bob', email: null, bio: 'He read.', avatarUrl: null }]],
    ])
  })

  it('of Jekyll: the folders above _posts, and words between blanks', async () => {
    const [post] = await postsOf({ 'news/tech/_posts/2020-01-02-a.md': '---\ncategories: one two\ntags: x y\ncategory: z\n---\n' })
    expect(post).toMatchObject({ categories: ['news', 'tech', 'one', 'two'], tags: ['x', 'y'] })
    const [hexo] = await postsOf({ 'source/_posts/a.md': '---\ncategories: one two\n---\n' })
    expect(hexo).toMatchObject({ categories: ['one two'] })
  })

  it("of Hugo: the site's own taxonomies are tags", async () => {
    const [post] = await postsOf({
      'hugo.toml': '[taxonomies]\ntag = "tags"\ncategory = "categories"\ntopic = "topics"\n',
      'content/posts/a.md': '+++\ntitle = "A"\ntags = ["x"]\ntopics = ["y", "z"]\n+++\n',
    })
    expect(post).toMatchObject({ tags: ['x', 'y', 'z'] })
  })

  it('under another name by --map', async () => {
    const renamed = new Map([
      ['topics', 'tags'],
      ['by', 'author'],
    ])
    const [post] = await postsOf({ 'a.md': '---\nby: Ada\ntags: x\nTopics: [y]\n---\n' }, { renamed })
    expect(post).toMatchObject({ tags: ['x', 'y'], authors: [{ name: 'Ada' }], losses: expect.not.objectContaining({ 'field by': 1 }) })
  })

  it('have names without HTML', () => {
    expect(postOf('---\nauthor: <a href="https://a.example">Ada &amp; Bob</a> (Engines)\n---\n').authors).toMatchObject([
      { name: 'Ada & Bob (Engines)' },
    ])
  })
})

describe('translations', () => {
  const files = {
    'content/en/posts/a.md': dated,
    'content/ja/posts/a.md': dated,
    'content/ja/posts/b.md': dated,
    'content/en/posts/c.fr.md': dated,
    'content/en/posts/c.md': dated,
    'content/en/posts/node.js.md': dated,
  }

  it('get a suffix of their language, and the default language keeps the slug', async () => {
    expect(await slugsOf(files)).toEqual({
      'content/en/posts/a.md': 'a',
      'content/ja/posts/a.md': 'a-ja',
      'content/ja/posts/b.md': 'b-ja',
      'content/en/posts/c.fr.md': 'c-fr',
      'content/en/posts/c.md': 'c',
      'content/en/posts/node.js.md': 'node-js',
    })
    expect(await slugsOf({ ...files, 'hugo.yaml': 'defaultContentLanguage: ja\n' })).toMatchObject({
      'content/en/posts/a.md': 'a-en',
      'content/ja/posts/a.md': 'a',
    })
    expect(await slugsOf({ 'ja/_posts/2020-01-02-a.md': page, 'ja/_posts/2020-01-02-b.md': page })).toMatchObject({
      'ja/_posts/2020-01-02-a.md': 'a',
    })
  })

  it('are left out by --language, and the language that stays has plain slugs', async () => {
    expect(await slugsOf(files, { language: 'JA' })).toEqual({ 'content/ja/posts/a.md': 'a', 'content/ja/posts/b.md': 'b' })
  })
})

describe('old addresses', () => {
  it('are those that a post names, and its own', () => {
    const text = '---\nredirect_from: [/old, "https://a.example/older?p=1"]\naliases: older/still\npermalink: /2020/a/\n---\n'
    expect(postOf(text).aliases).toEqual(['/older/still', '/old', '/older?p=1', '/2020/a/'])
    const settings = { siteUrl: 'https://b.example' }
    expect(postOf(text, 'a.md', undefined, settings)).toMatchObject({
      aliases: ['/older/still', '/old', '/2020/a/'],
      notes: expect.arrayContaining([expect.stringContaining('"https://a.example/older?p=1"')]),
    })
  })

  it('without a slash in front stand beside the URL of their post in Hugo, and at the root of the site elsewhere', async () => {
    const text = '---\ntitle: A\ndate: 2020-01-02\naliases: [old, ../older/, /oldest/]\n---\n'
    const aliasesFor = async (config: string, more: string) => (await postsOf({ [config]: more, 'content/posts/a.md': text }))[0]?.aliases
    expect(await aliasesFor('hugo.toml', '')).toEqual(['/posts/old', '/older/', '/oldest/', '/posts/a/'])
    expect(await aliasesFor('config.toml', 'base_url = "https://a.example"')).toEqual(['/old', '/older/', '/oldest/', '/posts/a/'])
  })

  it.each([
    ['_config.yml', '', '_posts/2020-01-02-A_b.md', '/news/2020/01/02/A_b.html'],
    ['_config.yml', 'permalink: /:year/:i_month/:slug/', '_posts/2020-01-02-a.md', '/2020/1/a/'],
    ['_config.yml', 'permalink: pretty', '_posts/2020-01-02-a.md', '/news/2020/01/02/a/'],
    ['_config.yml', 'permalink: pretty', 'de/blog/_posts/2020-01-02-a.md', '/de/blog/news/2020/01/02/a/'],
    ['_config.yml', 'permalink: :category/:title.html', 'source/_posts/2020-01-02-a.md', '/news/a.html'],
    ['hugo.toml', '[permalinks]\nposts = "/:year/:month/:slug/"', 'content/posts/2020-01-02-a.md', '/2020/01/a/'],
    ['hugo.toml', '', 'content/posts/deep/2020-01-02-a.md', '/posts/deep/a/'],
    ['config.toml', 'base_url = "https://a.example"', 'content/blog/2020-01-02-a/index.md', '/blog/a/'],
    ['hugo.toml', '[permalinks]\nposts = "/:year/:slug/"', 'content/en/posts/2020-01-02-a.md', '/2020/a/'],
    ['hugo.toml', '[permalinks]\nposts = "/:year/:slug/"', 'content/de/posts/2020-01-02-a.md', '/de/2020/a/'],
    ['_config.yml', 'permalink: pretty\ncollections: {tips: {output: true}}', '_tips/deep/a.md', '/tips/deep/a.html'],
    ['_config.yml', 'collections: {tips: {output: true, permalink: "/t/:name/"}}', '_tips/a.md', '/t/a/'],
    ['_config.yml', 'permalink: /:unheard/:title/', '_posts/2020-01-02-a.md', undefined],
  ])('come from the pattern in %s %j: %s was %s', async (name, config, path, alias) => {
    const [post] = await postsOf({ [name]: config, [path]: '---\ncategory: News\n---\n' })
    expect(post?.aliases).toEqual(alias === undefined ? [] : [alias])
  })

  it('of a translation stand below its language', async () => {
    const posts = await postsOf({
      'config.toml': 'base_url = "https://a.example"',
      'content/blog/a.md': dated,
      'content/blog/a.fr.md': dated,
    })
    expect(posts.map(({ aliases }) => aliases)).toEqual([['/fr/blog/a/'], ['/blog/a/']])
  })
})

describe('pictures', () => {
  const body =
    '![a](/img/a.png "A") ![b](b.png) ![c](https://c.example/c.png)\n<img alt="" src="/img/d.png">\n`![e](/e.png)`\n```\n![f](/f.png)\n```\n[g]: /img/g.png\n'

  it('stay as they are and are listed', () => {
    const post = postOf(`---\ntitle: A\nimage: /img/hero.png\n---\n${body}`)
    expect(post).toMatchObject({
      content: body,
      seo: { ogImage: null },
      losses: { 'pictures with an address inside the old site': 4 },
      notes: expect.arrayContaining([expect.stringContaining('"/img/a.png", "b.png", "/img/d.png", "/img/g.png"')]),
    })
  })

  it('are absolute by --site-url, outside code', () => {
    const text = `---\ntitle: A\npermalink: /2020/a/\nhero: hero.png\n---\n${body}`
    const post = postOf(text, 'a.md', undefined, { siteUrl: 'https://a.example' })
    expect(post.content).toBe(
      body
        .replace('(/img/a.png', '(https://a.example/img/a.png')
        .replace('(b.png', '(https://a.example/2020/a/b.png')
        .replace('"/img/d.png', '"https://a.example/img/d.png')
        .replace(': /img/g.png', ': https://a.example/img/g.png'),
    )
    expect(post.seo.ogImage).toBe('https://a.example/2020/a/hero.png')
  })

  it.each([
    ['![`a` b](x.png)', '![`a` b](X)'],
    ['![two\nlines](x.png "t")', '![two\nlines](X "t")'],
    ['[![a](x.png)](y.html)', '[![a](X)](y.html)'],
    ['`![a](x.png)` ``![b](`x.png)``', '`![a](x.png)` ``![b](`x.png)``'],
    ['- ```\n  ![a](x.png)\n  ```\n![b](x.png)', '- ```\n  ![a](x.png)\n  ```\n![b](X)'],
    ['> ~~~\n> ![a](x.png)\n> ~~~\n', '> ~~~\n> ![a](x.png)\n> ~~~\n'],
    ['![a][r]\n\n[r]: x.png "t"\r\n', '![a][r]\n\n[r]: X "t"\r\n'],
    ["<img alt='a' src='x.png'><IMG SRC=x.png>", "<img alt='a' src='X'><IMG SRC=X>"],
    ['`a\n\n![b](x.png)`', '`a\n\n![b](X)`'],
    ['![a [b] c](x.png) ![a [[b]] [c](y.html)](<x.png>)', '![a [b] c](X) ![a [[b]] [c](y.html)](<X>)'],
    ['![a ![b](x.png)](x.png)', '![a ![b](X)](X)'],
    ['![a [b](x.png) ![c\\](x.png) ![d](x.png)', '![a [b](x.png) ![c\\](x.png) ![d](X)'],
    ['![a `]` b](x.png)', '![a `]` b](X)'],
    ['    ![a](x.png)\n\n\t<img src="x.png">\r\n\r\n![b](x.png)', '    ![a](x.png)\n\n\t<img src="x.png">\r\n\r\n![b](X)'],
    ['text\n    ![a](x.png)', 'text\n    ![a](X)'],
    ['1. a\n\n    ![a](x.png)\n\nb\n\n    ![b](x.png)', '1. a\n\n    ![a](X)\n\nb\n\n    ![b](x.png)'],
    ['[^1]: a\n\n    ![a](x.png)', '[^1]: a\n\n    ![a](X)'],
    ['<div>\n\n    <img src="x.png">\n\n</div>', '<div>\n\n    <img src="X">\n\n</div>'],
    ['!!! note\n\n    ![a](x.png)', '!!! note\n\n    ![a](X)'],
  ])('in %j are found outside code', (text, mapped) => {
    expect(mapPictures(text, () => 'X')).toBe(mapped)
  })

  it('are found in a second in the longest text, whatever stands in it', () => {
    for (const unit of [
      '![',
      '`',
      '` `` ',
      '![a](',
      '<img ',
      '[',
      '](',
      '![[',
      '![a]\n',
      '\\',
      '![a [b] c](x) ',
      '`a`![b](x)',
      '<img src=x>',
    ])
      expect(mapPictures(unit.repeat(1_000_000 / unit.length), () => 'X').length).toBeGreaterThan(0)
  })

  it.each(['cover', 'thumbnail', 'hero', 'featured_image', 'cover: {image: X}', 'header: {og_image: X}'])(
    'of %s become seo.ogImage',
    (name) => {
      const field = name.includes(':') ? name.replace('X', 'https://a.example/a.png') : `${name}: https://a.example/a.png`
      expect(postOf(`---\n${field}\n---\n`).seo.ogImage).toBe('https://a.example/a.png')
    },
  )
})

describe('nothing is dropped in silence', () => {
  it('link posts keep their target', () => {
    expect(postOf('---\ntitle: A\nexternalLink: https://a.example/x\n---\n')).toMatchObject({
      seo: { canonicalUrl: 'https://a.example/x' },
      notes: expect.arrayContaining([expect.stringContaining('it is a link alone')]),
    })
    expect(postOf('---\ntitle: A\nlink: /here\n---\ntext').seo.canonicalUrl).toBeNull()
  })

  it('fields that are not read, further authors, cut slugs, empty texts and words of the generator are counted', () => {
    const fields = `title: A\nlayout: post\nauthors: [a, b, c]\nimage: x\ncover: y\nextra: {math: true, draft: false}\ndraft: false\nslug: ${'word-'.repeat(20)}`
    expect(postOf(`---\n${fields}\n---\n`).losses).toMatchObject({
      'field layout': 1,
      'field cover': 1,
      'field extra.math': 1,
      'further authors of a post': 2,
      'slugs cut to 80 characters': 1,
      'posts without text': 1,
    })
    const body = '{{< youtube x >}} {{% note %}} {% include a.html %}{%- raw %} {{ site.url }}\n{{ figure(src="a") }}\n'
    expect(postOf(`---\ntitle: A\n---\n${body}`).losses).toEqual({
      'Hugo or Zola shortcodes': 3,
      'Liquid or Nunjucks tags': 2,
      'Liquid or Nunjucks expressions': 1,
    })
    const mdx = "import X from './x'\n\n<X />\n"
    expect(postOf(`---\ntitle: A\n---\n${mdx}`, 'a.mdx').losses).toEqual({ 'MDX imports and exports': 1, 'MDX components': 1 })
  })
})
