import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'
import { fileOf, importFile, itemsIn, postIn } from '../exports/export-fixture.ts'
import { ghostExport, ghostPost, idOf } from './ghost-fixture.ts'

const exportOf = (data: Parameters<typeof ghostExport>[0], options = {}) => fileOf('ghost.json', ghostExport(data, options))

const people = {
  users: [
    {
      id: '1',
      slug: 'ada',
      name: 'Ada',
      email: 'ada@harbour.example',
      bio: 'Sails.',
      profile_image: '__GHOST_URL__/content/images/ada.png',
    },
    { id: '2', slug: 'bob', name: 'Bob' },
  ],
  tags: [
    { id: 't1', name: 'Ships', slug: 'ships', visibility: 'public' },
    { id: 't2', name: '#internal', slug: 'hash-internal', visibility: 'internal' },
    { id: 't3', name: 'Sea', slug: 'sea' },
  ],
}

for (const engine of engines) {
  describe(`an export of Ghost imported into ${engine.name}`, () => {
    it('GET /v1/posts/{slug}: 200 with every field; the second import changes nothing', async () => {
      const verso = await startVerso(engine)
      const id = idOf(1)
      const path = await exportOf({
        posts: [
          ghostPost({
            id,
            html: '<p>Hello <img src="__GHOST_URL__/content/images/a.png" alt="A"></p>',
            feature_image: '__GHOST_URL__/content/images/f.jpg',
            custom_excerpt: 'In short',
            codeinjection_head: '<script>1</script>',
          }),
          ghostPost({ id: idOf(2), slug: 'about', type: 'page' }),
        ],
        posts_meta: [
          {
            id: 'm',
            post_id: id,
            meta_title: 'For engines',
            meta_description: 'Of ships.',
            feature_image_alt: 'A harbour',
            twitter_title: 'x',
          },
        ],
        posts_tags: [
          { post_id: id, tag_id: 't3', sort_order: 2 },
          { post_id: id, tag_id: 't2', sort_order: 1 },
          { post_id: id, tag_id: 't1', sort_order: 0 },
          { post_id: id, tag_id: 'none', sort_order: 3 },
        ],
        posts_authors: [
          { post_id: id, author_id: '2', sort_order: 1 },
          { post_id: id, author_id: '1', sort_order: 0 },
        ],
        ...people,
      })
      const options = { siteUrl: 'https://harbour.example/', primaryTagIsCategory: true }
      expect(await importFile(verso, path, options)).toMatchObject({
        posts: { created: 1, failed: 0 },
        made: { authors: 2, categories: 1, tags: 1, media: 2 },
        skipped: { page: 1 },
        losses: { 'code injection': 1, 'internal tag #internal': 1, 'tag that the export does not have': 1, 'field twitter_title': 1 },
        notes: [{ note: 'a post keeps one author; left out: "Bob"' }],
      })
      expect((await verso.get('/v1/posts/a-ship')).body).toMatchObject({
        title: 'A ship',
        content: 'Hello ![A](https://harbour.example/content/images/a.png)\n',
        excerpt: 'In short',
        publishedAt: '2020-01-02T03:04:05.000Z',
        author: { name: 'Ada' },
        category: { name: 'Ships' },
        tags: ['Sea'],
        aliases: ['/a-ship/'],
        seo: { title: 'For engines', description: 'Of ships.', ogImage: 'https://harbour.example/content/images/f.jpg' },
      })
      expect((await verso.get('/v1/media?sort=name')).body.data).toMatchObject([
        { filename: 'a.png', alt: 'A' },
        { filename: 'f.jpg', alt: 'A harbour' },
      ])
      expect(await importFile(verso, path, options)).toMatchObject({ posts: { created: 0, updated: 0, unchanged: 1 }, made: { media: 0 } })
      expect((await importFile(verso, path, { ...options, pages: true })).posts).toMatchObject({ created: 1, unchanged: 1 })
    })

    it('GET /v1/posts with a public key: 200 without any post that not everybody could read', async () => {
      const verso = await startVerso(engine)
      const posts = [
        { slug: 'open' },
        { slug: 'members', visibility: 'members' },
        { slug: 'paid', visibility: 'paid' },
        { slug: 'tiers', visibility: 'tiers' },
        { slug: 'sent', status: 'sent' },
        { slug: 'emailed' },
        { slug: 'draft', status: 'draft' },
        { slug: 'missed', status: 'scheduled' },
        { slug: 'coming', status: 'scheduled', published_at: '2030-01-01 00:00:00' },
        { slug: 'coming-members', status: 'scheduled', visibility: 'members', published_at: '2030-01-01 00:00:00' },
        { slug: 'odd', status: 'inherit' },
        { slug: 'gated', html: 'x<!--kg-gated-block:begin nonMember:false memberSegment:"status:free" -->y<!--kg-gated-block:end-->' },
        { slug: 'gated-card', lexical: '{"root":{"children":[{"type":"html","html":"y","visibility":{"web":{"nonMember":false}}}]}}' },
        { slug: 'shown', html: '<!--kg-gated-block:begin nonMember:true memberSegment:"" -->y<!--kg-gated-block:end-->' },
      ].map((fields, index) => ghostPost({ id: idOf(index), ...fields }))
      const report = await importFile(verso, await exportOf({ posts, posts_meta: [{ post_id: idOf(5), email_only: 1 }] }))
      expect(report).toMatchObject({ posts: { created: 14 }, drafts: 3, scheduled: 1 })
      expect(report.archived.map(({ path }) => Number(path.slice(-2)))).toEqual([1, 2, 3, 4, 5, 9, 11, 12])
      verso.context.travelTo('2029-12-31T00:00:00Z')
      expect((await verso.get('/v1/posts?fields=slug', { key: verso.public })).body.data).toMatchObject([
        { slug: 'shown' },
        { slug: 'open' },
      ])
    })
  })
}

describe('the text of a post of Ghost', () => {
  const contentOf = async (fields: Readonly<Record<string, unknown>>) =>
    (await postIn(await exportOf({ posts: [ghostPost(fields)] }, { flat: true }))).content
  const mobiledoc = (sections: readonly unknown[], cards: readonly unknown[] = [], more = {}) =>
    JSON.stringify({
      version: '0.3.1',
      markups: [['strong'], ['a', ['href', 'https://a.example/?x=1&y="2"']]],
      atoms: [['soft-return', '', {}]],
      cards,
      sections,
      ...more,
    })
  const markdownCard = (markdown: string) => ['markdown', { markdown }]

  it('is the Markdown of its one card, byte for byte', async () => {
    const markdown = '\n# Hello\n\n* one  \n<b>x</b>\n\n'
    expect(await contentOf({ html: '<h1>Hello</h1>', mobiledoc: mobiledoc([[10, 0]], [['card-markdown', { markdown }]]) })).toBe(markdown)
    expect(await contentOf({ markdown, html: '<h1>Hello</h1>', mobiledoc: null })).toBe(markdown)
    expect(await contentOf({ html: '', lexical: JSON.stringify({ root: { children: [{ type: 'markdown', markdown }] } }) })).toBe(markdown)
  })

  it('has the Markdown of its cards in their places among HTML', async () => {
    const html = '<p>One</p><!--kg-card-begin: markdown--><ul><li>x</li></ul><!--kg-card-end: markdown--><p>Two</p>'
    const sections = [
      [1, 'p', [[0, [], 0, 'One']]],
      [10, 0],
      [1, 'p', [[0, [], 0, 'Two']]],
    ]
    expect(await contentOf({ html, mobiledoc: mobiledoc(sections, [markdownCard('* x')]) })).toBe('One\n\n* x\n\nTwo\n')
  })

  it('is rendered from mobiledoc where there is no HTML', async () => {
    const sections = [
      [1, 'h2', [[0, [], 0, 'A < B']]],
      [
        1,
        'p',
        [
          [0, [0], 1, 'bold'],
          [0, [1], 1, 'link'],
          [1, [], 0, 0],
          [0, [], 0, 'end'],
        ],
      ],
      [3, 'ol', [[[0, [], 0, 'one']], [[0, [], 0, 'two']]]],
      [10, 0],
      [10, 1],
      [10, 2],
      [10, 3],
    ]
    const cards = [
      ['code', { code: 'x < 1', language: 'js' }],
      ['image', { src: 'https://a.example/i.png', alt: 'I', caption: 'Seen' }],
      ['hr', {}],
      ['novelty', {}],
    ]
    const path = await exportOf({ posts: [ghostPost({ html: null, mobiledoc: mobiledoc(sections, cards) })] })
    expect(await postIn(path)).toMatchObject({
      content:
        '## A < B\n\n**bold**[link](https://a.example/?x=1&y=%222%22)\\\nend\n\n1. one\n2. two\n\n```js\nx < 1\n```\n\n![I](https://a.example/i.png)\n\nSeen\n\n---\n',
      losses: { 'card novelty': 1 },
    })
  })

  it('is rendered from lexical where there is no HTML', async () => {
    const text = (words: string, format = 0) => ({ type: 'extended-text', text: words, format })
    const children = [
      { type: 'extended-heading', tag: 'h3', children: [text('Title')] },
      {
        type: 'paragraph',
        children: [
          text('a '),
          text('b', 3),
          { type: 'linebreak' },
          { type: 'link', url: 'https://a.example/', children: [text('c')] },
          text('d', 16),
        ],
      },
      {
        type: 'list',
        listType: 'bullet',
        children: [
          {
            type: 'listitem',
            children: [text('one'), { type: 'list', tag: 'ol', children: [{ type: 'listitem', children: [text('two')] }] }],
          },
        ],
      },
      { type: 'callout', calloutEmoji: '!', calloutText: 'Mind' },
      { type: 'bookmark', url: 'https://b.example/', metadata: { title: 'B', description: 'Of b' } },
      { type: 'horizontalrule' },
    ]
    expect(await contentOf({ html: '', lexical: JSON.stringify({ root: { children } }) })).toBe(
      '### Title\n\na ***b***\\\n[c](https://a.example/)`d`\n\n- one\n  1. two\n\n> ! Mind\n\n[B](https://b.example/)\n\nOf b\n\n---\n',
    )
  })

  it('is empty where there is none, and broken JSON of an editor breaks nothing', async () => {
    expect(await contentOf({ html: null, mobiledoc: '{"sections":', lexical: '[]' })).toBe('')
  })
})

describe('an export of Ghost', () => {
  it('asks for the address of the site by name where texts need it', async () => {
    const path = await exportOf({ posts: [ghostPost({ html: '<a href="__GHOST_URL__/x/">x</a>' })] })
    await expect(itemsIn(path)).rejects.toThrow('--site-url')
    expect((await postIn(path, { siteUrl: 'https://harbour.example' })).content).toBe('[x](https://harbour.example/x/)\n')
  })

  it('may be of an early version: numbers as ids, dates in milliseconds, `page`, `image`, and one author', async () => {
    const posts = [
      {
        id: 1,
        uuid: 'u-1',
        title: 'Old',
        slug: 'old',
        markdown: '*x*',
        html: '<p>x</p>',
        image: 'https://a.example/i.png',
        page: 0,
        status: 'published',
        author_id: 1,
        published_at: 1_577_934_245_000,
      },
      { id: 2, uuid: 'u-2', title: 'Page', slug: 'page', markdown: 'x', page: 1, status: 'published', author_id: 1 },
    ]
    const path = await exportOf({ posts, users: [{ id: 1, slug: 'ada', name: 'Ada' }] })
    expect(await postIn(path)).toMatchObject({
      path: 'ghost:u-1',
      content: '*x*',
      date: '2020-01-02T03:04:05.000Z',
      authors: [{ name: 'Ada' }],
      seo: { ogImage: 'https://a.example/i.png' },
    })
  })

  it('has addresses of the pattern that its settings name', async () => {
    const settings = [
      { key: 'permalinks', value: '/:year/:month/:day/:slug/' },
      { key: 'active_timezone', value: 'Asia/Tokyo' },
    ]
    const path = await exportOf({ posts: [ghostPost({ published_at: '2020-01-01 20:00:00' })], settings })
    expect((await postIn(path)).aliases).toEqual(['/2020/01/02/a-ship/'])
  })

  it('has an alias of two posts of one id once, and names the second', async () => {
    const verso = await startVerso(engines[0] as never)
    const report = await importFile(verso, await exportOf({ posts: [ghostPost(), ghostPost({ slug: 'again' })] }))
    expect(report).toMatchObject({ posts: { created: 1, failed: 1 }, faults: [{ message: expect.stringContaining('same name or id') }] })
  })
})
