import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSlug } from '../../../../src/values/slug.ts'
import { itemOf, postOf } from '../../post-fixture.ts'

const yaml = (fields: string, body = '') => `---\n${fields}\n---\n${body}`

describe('the title', () => {
  it.each([
    ['title: 2024', '2024'],
    ['title: no', 'no'],
    ['Title: "  a title "', 'a title'],
    ['title: "\u00a0a\u00a0b"', 'a\u00a0b'],
    ['title: |\n  two\n  lines', 'two lines'],
  ])('%j is %j', (fields, title) => {
    expect(postOf(yaml(fields)).title).toBe(title)
  })

  it.each([
    ['```\n# code\n```\n\n## The `first` heading ##\n', 'The `first` heading'],
    ['Text\n# C#\n', 'C#'],
    ['# Named {#name}\r\n', 'Named'],
    ['A title\n=======\n', 'A title'],
    ['no heading', 'A post'],
    ['~~~~\n~~~\n# code\n', 'A post'],
  ])('that is missing comes from the first heading, else the file name: %j', (body, title) => {
    const post = postOf(body)
    expect(post.title).toBe(title)
    expect(post.content).toBe(body)
    expect(post.notes).toContainEqual(expect.stringContaining('no title'))
  })

  it('of more than 300 characters, or of another kind, is at fault on its line', () => {
    expect(postOf(yaml(`title: ${'🎉'.repeat(300)}`)).title).toHaveLength(600)
    expect(itemOf(yaml(`date: 2020-01-01\ntitle: ${'a'.repeat(301)}`))).toMatchObject({ kind: 'fault', line: 3 })
    expect(itemOf(yaml('title: [a, b]'))).toMatchObject({ kind: 'fault', line: 2, message: 'the title is no text' })
  })
})

describe('the slug', () => {
  it.each([
    ['slug: /a/nice-slug', 'nice-slug', 'front matter'],
    ['slug: Rock & Roll 1.0', 'rock-and-roll-1-0', 'front matter'],
    ['slug: /', null, 'front matter'],
    ['permalink: /2014/12/the-name.html', 'the-name', 'address'],
    ['permalink: /the-name/index.html', 'the-name', 'address'],
    ['path: 2014/12/12/1.0-Timeline', '1-0-timeline', 'address'],
    ['permalink: /:year/:title/', 'a-post', 'file name'],
    ['permalink: "blog/{{ page.slug }}/"', 'a-post', 'file name'],
    ['permalink: false', 'a-post', 'file name'],
    ['url: https://example.org/elsewhere', 'a-post', 'file name'],
    ['', 'a-post', 'file name'],
  ])('%j is %j', (fields, slug, slugFrom) => {
    expect(postOf(yaml(`title: A\n${fields}`))).toMatchObject({ slug, origin: { slugFrom } })
  })

  it('is left to the title where nothing of it can stay', () => {
    const post = postOf(yaml('title: 你好'), '你好.md')
    expect(post).toMatchObject({ slug: null, origin: { slug: '你好' } })
    expect(post.notes).toEqual(['nothing of the slug "你好" can stay; one is made from the title'])
  })

  it('that had to change is noted', () => {
    expect(postOf(yaml('slug: A_b')).notes).toContain('the slug "A_b" became "a-b"')
    expect(postOf(yaml('title: A\nslug: /a-b')).notes).toEqual([])
  })
})

describe('dates', () => {
  it.each([
    ['date: 2019-06-01 15:40', 'a.md', '2019-06-01T15:40:00.000Z', 'front matter'],
    ['pubDate: Jul 08 2022', '2001-01-01-a.md', '2022-07-08T00:00:00.000Z', 'front matter'],
    ['published_at: 2022-07-08', 'a.md', '2022-07-08T00:00:00.000Z', 'front matter'],
    ['published: true', '2020-9-25-a.md', '2020-09-25T00:00:00.000Z', 'file name'],
    ['path: 2014/12/12/a', '2001-01-01-a.md', '2014-12-12T00:00:00.000Z', 'address'],
    ['', 'blog/2021/03/04/a.md', '2021-03-04T00:00:00.000Z', 'file name'],
    ['', 'blog/2021-03-04-a/index.md', '2021-03-04T00:00:00.000Z', 'file name'],
    ['', 'blog/2021-03-04/a.md', '2021-03-04T00:00:00.000Z', 'file name'],
    ['', 'blog/2021/03/12-resources.md', null, null],
    ['', 'a.md', null, null],
    ['date: git Last Modified', 'a.md', null, null],
  ])('%j in %s', (fields, path, date, dateFrom) => {
    expect(postOf(yaml(`title: A\n${fields}`), path)).toMatchObject({ date, origin: { dateFrom } })
  })

  it('that do not exist are at fault, on their line where they have one', () => {
    expect(itemOf(yaml('title: A\ndate: 2019-02-30'))).toMatchObject({
      kind: 'fault',
      line: 3,
      message: expect.stringContaining('2019-02-30'),
    })
    expect(itemOf(yaml('title: A'), '2019-13-01-a.md')).toMatchObject({ kind: 'fault', line: null })
    expect(itemOf('+++\ntitle = "A"\ndate = 2019-02-30\n+++\n')).toMatchObject({ kind: 'fault', line: 3 })
  })

  it('of the last change are read like those of publication', () => {
    expect(postOf(yaml('title: A\nupdatedDate: Jul 08 2022'))).toMatchObject({ date: null, updated: '2022-07-08T00:00:00.000Z' })
  })

  it('of the last change that do not exist are left out, with a note', () => {
    expect(postOf(yaml('title: A\ndate: 2020-01-02T00:00:00Z\nlastmod: 2019-02-30'))).toMatchObject({
      date: '2020-01-02T00:00:00.000Z',
      updated: null,
      notes: ['the lastmod "2019-02-30" does not exist or cannot be read; left out'],
      losses: {},
    })
  })
})

describe('a draft', () => {
  it.each([
    ['draft: true', true],
    ['draft: yes', true],
    ['draft: perhaps', true],
    ['draft: false', false],
    ['draft:', false],
    ['published: false', true],
    ['published: 2020-01-01', false],
    ['status: Draft', true],
    ['status: private', true],
    ['status: published', false],
    ['status: Closed', false],
    ['unlisted: true', true],
    ['title: a', false],
  ])('%j: %s', (fields, draft) => {
    expect(postOf(yaml(fields)).status).toBe(draft ? 'draft' : 'published')
  })

  it('is whatever lies in a folder of drafts', () => {
    expect(postOf('text', '_drafts/a.md').status).toBe('draft')
  })
})

describe('authors', () => {
  const one = { email: null, bio: null, avatarUrl: null }
  it.each([
    ['author: ada', [{ ...one, key: 'ada', name: 'ada' }]],
    [
      'authors: [ada, "Bob B."]',
      [
        { ...one, key: 'ada', name: 'ada' },
        { ...one, key: 'Bob B.', name: 'Bob B.' },
      ],
    ],
    [
      'authors:\n  name: ada\n  title: Engineer\n  image_url: https://a.example/a.png',
      [{ ...one, key: 'ada', name: 'ada', bio: 'Engineer', avatarUrl: 'https://a.example/a.png' }],
    ],
    [
      'author: Ada\nauthor_title: Engineer\nauthor_url: https://a.example\nauthor_image_url: https://a.example/a.png',
      [{ ...one, key: 'Ada', name: 'Ada', bio: 'Engineer', avatarUrl: 'https://a.example/a.png' }],
    ],
    [
      'author: "[Ada L.](https://a.example) (Engines)"',
      [{ ...one, key: '[Ada L.](https://a.example) (Engines)', name: 'Ada L. (Engines)' }],
    ],
    ['author: {name: Ada, email: ada@a.example}', [{ ...one, key: 'Ada', name: 'Ada', email: 'ada@a.example' }]],
    ['author: ""', []],
    ['author: [{url: https://a.example}]', []],
  ])('%j', (fields, authors) => {
    expect(postOf(yaml(fields)).authors).toEqual(authors)
  })

  it('beyond the first, categories beyond the first and addresses that are none are noted', () => {
    expect(
      postOf(yaml('title: A\nslug: a\nauthors: [{name: ada, email: at home, image_url: /a.png}, bob]\ncategories: [x, y]')).notes,
    ).toEqual([
      'the author\'s address "at home" is no e-mail address of at most 254 characters; left out',
      'the author\'s picture "/a.png" is not an absolute http(s) address of at most 2048 characters; left out',
      'a post keeps one author; left out: "bob"',
      'a post keeps one category; left out: "y"',
    ])
  })
})

describe('tags and categories', () => {
  it.each([
    ['tags: [a, "b c", A, a]', ['a', 'b c']],
    ['tags: a, b', ['a, b']],
    ['keywords: a', ['a']],
    ['tags: [{label: A, permalink: /a}]', ['A']],
    ['tags: []', []],
  ])('%j', (fields, tags) => {
    expect(postOf(yaml(fields)).tags).toEqual(tags)
  })

  it('are read from a table of taxonomies', () => {
    expect(postOf('+++\ntitle = "A"\n[taxonomies]\ntags = ["a"]\ncategories = ["b"]\n+++\n')).toMatchObject({
      tags: ['a'],
      categories: ['b'],
    })
  })

  it.each([
    ['category: news', ['news']],
    ['categories: [a, [b, c]]', ['a', 'b', 'c']],
    ['section: news', ['news']],
  ])('%j', (fields, categories) => {
    expect(postOf(yaml(fields)).categories).toEqual(categories)
  })

  it('too long or too many are left out, with a note', () => {
    const tags = Array.from({ length: 60 }, (_, index) => `t${index}`)
    const post = postOf(yaml(`title: A\ntags: [${'x'.repeat(81)}, ${tags.join(', ')}]`))
    expect(post.tags).toEqual(tags.slice(0, 50))
    expect(post.notes).toEqual([expect.stringContaining('81 characters'), '60 tags; only the first 50 were kept'])
  })
})

describe('authors and categories', () => {
  it('are kept up to 50', () => {
    const many = Array.from({ length: 60 }, (_, index) => `t${index}`)
    const post = postOf(yaml(`title: A\nauthors: [${many.join(', ')}]\ncategories: [${many.join(', ')}]`))
    expect(post.authors.map(({ key }) => key)).toEqual(many.slice(0, 50))
    expect(post.categories).toEqual(many.slice(0, 50))
    expect(post.notes.slice(0, 2)).toEqual(['60 authors; only the first 50 were kept', '60 categories; only the first 50 were kept'])
  })
})

describe('excerpt, search engines and social cards', () => {
  it('are taken from the names that blogs use', () => {
    const post = postOf(
      yaml('excerpt: E\ndescription: D\ncanonical_url: https://a.example/x\ncover:\n  image: https://a.example/x.png\nseo:\n  title: S'),
    )
    expect(post.excerpt).toBe('E')
    expect(post.seo).toEqual({ title: 'S', description: 'D', canonicalUrl: 'https://a.example/x', ogImage: 'https://a.example/x.png' })
    expect(postOf(yaml('teaser: T'))).toMatchObject({ excerpt: 'T', seo: { description: null } })
  })

  it('an excerpt is cut at a word to 1,000 characters', () => {
    const post = postOf(yaml(`title: A\nsummary: ${'word '.repeat(300)}`))
    expect(post.excerpt).toBe('word '.repeat(200).trim())
    expect(post.notes).toEqual(['the excerpt of 1499 characters was cut to 1000'])
  })

  it.each([
    ['/img/a.png'],
    ['javascript:run()'],
    ['//a.example/a.png'],
    ['https://'],
    ['https:///a.png'],
    [`https://a.example/${'a'.repeat(2048)}`],
  ])('an image at %.30s is left out', (url) => {
    const post = postOf(yaml(`title: A\nimage: "${url}"`))
    expect(post.seo.ogImage).toBeNull()
    expect(post.notes).toHaveLength(1)
  })
})

describe('the content', () => {
  it('over 1 MiB is at fault', () => {
    expect(postOf('é'.repeat(512 * 1024)).content).toHaveLength(512 * 1024)
    expect(itemOf(`${'é'.repeat(512 * 1024)}.`)).toMatchObject({
      kind: 'fault',
      message: 'the content has 1048577 bytes, more than 1048576',
    })
  })
})

describe('whatever front matter says', () => {
  const names =
    'title slug permalink path url date published updated draft status unlisted authors author author_title tags keywords categories excerpt description seo image canonical aliases lang taxonomies extra redirect'
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('true', '2020-01-01', '/a/b.html', 'https://a.example', 'x '.repeat(700), '[a](b)'),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.jsonValue(),
      fc.array(tie('value')),
      fc.dictionary(fc.constantFrom('name', 'key', 'url', 'title'), tie('value')),
    ),
  }))

  it('what is read keeps to the limits, or is at fault', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names.split(' ')), value), fc.string(), (fields, body) => {
        const item = itemOf(`---json\n${JSON.stringify(fields)}\n---\n${body}`)
        if (item.kind !== 'post') return
        expect(item.content).toBe(body)
        expect(item.title.trim()).toMatch(/^.{1,300}$/su)
        expect(item.excerpt ?? 'none').toMatch(/^.{1,1000}$/su)
        expect(item.slug === null || isSlug(item.slug)).toBe(true)
        expect(item.tags.length).toBeLessThanOrEqual(50)
        for (const tag of item.tags) expect(tag).toMatch(/^.{1,80}$/su)
        for (const url of [item.seo.ogImage, item.seo.canonicalUrl, ...item.authors.map(({ avatarUrl }) => avatarUrl)]) {
          if (url !== null) expect(url).toMatch(/^https?:\/\/\S{1,2040}$/)
        }
        for (const author of item.authors) expect(author.name).toMatch(/^.{1,300}$/su)
      }),
      { numRuns: 2000 },
    )
  })
})
