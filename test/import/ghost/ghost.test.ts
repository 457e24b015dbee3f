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
        {
          slug: 'gated-spaced',
          lexical: '{ "root": { "children": [{ "visibility": { "web": { "nonMember": false, "memberSegment": "x" } } }] } }',
        },
        { slug: 'shown', html: '<!--kg-gated-block:begin nonMember:true memberSegment:"" -->y<!--kg-gated-block:end-->' },
      ].map((fields, index) => ghostPost({ id: idOf(index), ...fields }))
      const report = await importFile(verso, await exportOf({ posts, posts_meta: [{ post_id: idOf(5), email_only: 1 }] }))
      expect(report).toMatchObject({ posts: { created: 15 }, drafts: 3, scheduled: 1 })
      expect(report.archived.map(({ path }) => Number(path.slice(-2)))).toEqual([1, 2, 3, 4, 5, 9, 11, 12, 13])
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

  it('has the numbers of its lists, with a list within a list in the item before it', async () => {
    const li = (...children: readonly unknown[]) => ({ type: 'listitem', children })
    const text = (words: string) => ({ type: 'extended-text', text: words, format: 0 })
    const inner = { type: 'list', listType: 'bullet', tag: 'ul', start: 1, children: [li(text('inner')), li({ ...text('more') })] }
    const outer = { type: 'list', listType: 'number', tag: 'ol', start: 5, children: [li(text('five')), li(inner), li(text('six'))] }
    const alone = { type: 'list', listType: 'number', tag: 'ol', start: 1, children: [li(inner), text('bare')] }
    expect(await contentOf({ html: '', lexical: JSON.stringify({ root: { children: [outer] } }) })).toBe(
      '5. five\n   - inner\n   - more\n6. six\n',
    )
    expect(await contentOf({ html: '', lexical: JSON.stringify({ root: { children: [alone] } }) })).toBe('1. - inner\n   - more\n2. bare\n')
  })

  const lexical = (...children: readonly unknown[]) => JSON.stringify({ root: { children } })
  const cards: readonly (readonly [card: Readonly<Record<string, unknown>>, content: string])[] = [
    [
      {
        type: 'call-to-action',
        hasSponsorLabel: true,
        sponsorLabel: '<p>SPONSORED</p>',
        imageUrl: 'https://a.example/i.png',
        textValue: '<p>Sail <b>on</b></p>',
        showButton: true,
        buttonText: 'Aboard',
        buttonUrl: 'https://a.example/on',
      },
      'SPONSORED\n\n![](https://a.example/i.png)\n\nSail **on**\n\n[Aboard](https://a.example/on)\n',
    ],
    [
      { type: 'call-to-action', hasSponsorLabel: false, sponsorLabel: 'AD', textValue: '<p>On</p>', showButton: false, buttonUrl: 'x' },
      'On\n',
    ],
    [
      {
        type: 'product',
        productImageSrc: 'https://a.example/p.png',
        productTitle: 'Rope',
        productDescription: '<p>Long</p>',
        productButtonEnabled: true,
        productButton: 'Buy',
        productUrl: 'https://a.example/buy',
      },
      '![](https://a.example/p.png)\n\n#### Rope\n\nLong\n\n[Buy](https://a.example/buy)\n',
    ],
    [
      {
        type: 'header',
        header: 'Big',
        subheader: 'Small',
        buttonEnabled: true,
        buttonText: 'Go',
        buttonUrl: 'https://a.example/go',
        backgroundImageSrc: '',
      },
      '## Big\n\n### Small\n\n[Go](https://a.example/go)\n',
    ],
    [{ type: 'signup', header: 'Join', subheader: 'Us', disclaimer: 'No spam' }, '## Join\n\n### Us\n\nNo spam\n'],
    [{ type: 'toggle', heading: 'Why', content: '<p>So</p>' }, '**Why**\n\nSo\n'],
    [{ type: 'button', buttonText: 'Press', buttonUrl: 'https://a.example/b' }, '[Press](https://a.example/b)\n'],
    [
      { type: 'gallery', images: [{ src: 'https://a.example/1.png', alt: 'One' }, { fileName: '2.png' }], caption: 'Two' },
      '![One](https://a.example/1.png)![](/content/images/2.png)\n\nTwo\n',
    ],
    [
      {
        type: 'bookmark',
        url: 'https://b.example/',
        metadata: { title: 'B', description: 'Of b', author: 'Bob', publisher: 'Press' },
        caption: 'C',
      },
      '[B](https://b.example/)\n\nOf b\n\nBob, Press\n\nC\n',
    ],
    [{ type: 'embed', url: 'https://v.example/1', html: '<blockquote><p>Said</p></blockquote>', caption: 'Seen' }, '> Said\n\nSeen\n'],
    [
      { type: 'file', src: 'https://a.example/f.pdf', fileTitle: 'Plan', fileName: 'f.pdf', fileCaption: 'Of it' },
      '[Plan](https://a.example/f.pdf) Of it\n',
    ],
    [{ type: 'html', html: '<p>Raw</p>' }, 'Raw\n'],
    [{ type: 'codeblock', language: 'js', code: '1 < 2' }, '```js\n1 < 2\n```\n'],
    [{ type: 'extended-quote', children: [{ type: 'text', text: 'Said' }] }, '> Said\n'],
    [{ type: 'aside', children: [{ type: 'text', text: 'Beside' }] }, '> Beside\n'],
    [{ type: 'novel-block', children: [{ type: 'text', text: 'New' }] }, 'New\n'],
  ]
  it.each(cards.map(([card, content]) => [String(card.type), card, content] as const))(
    'has what a card %s shows (%#)',
    async (_, card, content) => {
      expect(await contentOf({ html: null, lexical: lexical(card) })).toBe(content)
    },
  )

  it('has the sound and the film of their cards', async () => {
    const audio = { type: 'audio', title: 'Waves', src: 'https://a.example/w.mp3' }
    const video = { type: 'video', src: 'https://a.example/v.mp4', caption: 'Sea' }
    const content = await contentOf({ html: null, lexical: lexical(audio, video) })
    for (const part of ['Waves', 'https://a.example/w.mp3', 'https://a.example/v.mp4', 'Sea']) expect(content).toContain(part)
  })

  it('counts a post without text', async () => {
    const post = await postIn(await exportOf({ posts: [ghostPost({ html: null })] }))
    expect(post).toMatchObject({ content: '', losses: { 'posts without text': 1 } })
  })

  it('leaves out what was sent by e-mail only, and lists it, with HTML and without', async () => {
    const stored = lexical(
      { type: 'paragraph', children: [{ type: 'text', text: 'For all' }] },
      { type: 'email', html: '<p>Hey {first_name}</p>' },
      { type: 'email-cta', html: '<p>Buy</p>' },
      { type: 'html', html: '<p>Mail</p>', visibility: { web: { nonMember: false, memberSegment: '' } } },
      { type: 'html', html: '<p>Old</p>', visibility: { showOnWeb: false, showOnEmail: true } },
      { type: 'signup', header: 'Join' },
      { type: 'paywall' },
    )
    const forEmails = {
      'card email, for e-mails alone': 1,
      'card email-cta, for e-mails alone': 1,
      'card html, for e-mails alone': 2,
    }
    const without = await postIn(await exportOf({ posts: [ghostPost({ html: null, lexical: stored })] }))
    expect(without).toMatchObject({ status: 'published', content: 'For all\n\n## Join\n' })
    expect(without.losses).toEqual({ ...forEmails, 'form of a card signup': 1 })
    const withHtml = await postIn(await exportOf({ posts: [ghostPost({ html: '<p>For all</p>', lexical: stored })] }))
    expect(withHtml).toMatchObject({ status: 'published', content: 'For all\n', losses: forEmails })
  })

  it('is empty where there is none, and broken JSON of an editor breaks nothing', async () => {
    expect(await contentOf({ html: null, mobiledoc: '{"sections":', lexical: '[]' })).toBe('')
  })
})

describe('an export of Ghost', () => {
  it('is archived whole where the site was private', async () => {
    const path = await exportOf({ posts: [ghostPost()], settings: [{ key: 'is_private', value: 'true' }] })
    expect(await postIn(path)).toMatchObject({ status: 'archived', notes: ['the whole site was private; archived'] })
  })

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
