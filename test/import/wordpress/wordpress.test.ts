import { describe, expect, it } from 'vitest'
import { findTimezone } from '../../../src/import/markdown/post-fields/timezone.ts'
import { engines, startVerso } from '../../harness/harness.ts'
import { fileOf, importFile, itemsIn, postIn } from '../exports/export-fixture.ts'
import { item, wxr } from './wxr-fixture.ts'

const exportOf = (...items: readonly string[]) => fileOf('export.xml', wxr(items))

for (const engine of engines) {
  describe(`an export of WordPress imported into ${engine.name}`, () => {
    const whole = item({
      id: 5,
      title: 'Harbour &amp; <![CDATA[<em>sea</em>]]>',
      content:
        'First line\nsecond line\n\n<strong>Bold</strong> <a href="https://a.example/">link</a> [gallery ids="1"]\n<img src="https://harbour.example/wp-content/uploads/boat-300x200.jpg" alt="Boat" />',
      meta: {
        _thumbnail_id: '9',
        _yoast_wpseo_title: '%%title%% %%sep%% %%sitename%%',
        _yoast_wpseo_metadesc: 'Of ships.',
        _yoast_wpseo_primary_category: '7',
        _wp_old_slug: 'old-ship',
        colour: 'red',
      },
      more: '<excerpt:encoded><![CDATA[<p>In short</p>]]></excerpt:encoded><category domain="category" nicename="news"><![CDATA[News]]></category><category domain="category" nicename="ships"><![CDATA[Ships]]></category><category domain="post_tag" nicename="sea"><![CDATA[Sea]]></category><category domain="post_format" nicename="x">Aside</category><wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>Nice</wp:comment_content></wp:comment>',
    })
    const picture = item({
      id: 9,
      type: 'attachment',
      status: 'inherit',
      slug: 'boat',
      meta: {
        _wp_attachment_image_alt: 'A boat',
        _wp_attachment_metadata:
          'a:3:{s:5:"width";i:800;s:6:"height";i:600;s:8:"filesize";i:1234;s:5:"sizes";a:1:{s:6:"medium";a:2:{s:5:"width";i:300;s:6:"height";i:200;}}}',
      },
      more: '<wp:attachment_url>https://harbour.example/wp-content/uploads/boat.jpg</wp:attachment_url>',
    })

    it('GET /v1/posts/{slug}: 200 with every field; the second import changes nothing', async () => {
      const verso = await startVerso(engine)
      const path = await exportOf(whole, picture, item({ id: 10, type: 'page' }), item({ id: 11, type: 'nav_menu_item' }))
      const report = await importFile(verso, path)
      expect(report).toMatchObject({
        posts: { created: 1, failed: 0 },
        made: { authors: 1, categories: 1, tags: 2, media: 1 },
        skipped: { page: 1, nav_menu_item: 1 },
        losses: { comment: 1, 'taxonomy post_format': 1, 'custom field colour': 1, 'shortcode [gallery], left as text': 1 },
        notes: [],
      })
      const post = (await verso.get('/v1/posts/a-ship')).body
      expect(post).toMatchObject({
        title: 'Harbour & sea',
        content:
          'First line\\\nsecond line\n\n**Bold** [link](https://a.example/) \\[gallery ids="1"\\]\\\n![Boat](https://harbour.example/wp-content/uploads/boat.jpg)\n',
        excerpt: 'In short',
        status: 'published',
        publishedAt: '2020-01-02T03:04:05.000Z',
        author: { name: 'Ada Lovelace' },
        category: { name: 'Ships' },
        tags: ['News', 'Sea'],
        aliases: ['/2020/01/a-ship/', '/2020/01/old-ship/'],
        seo: { title: 'Harbour & sea - Harbour', description: 'Of ships.', ogImage: 'https://harbour.example/wp-content/uploads/boat.jpg' },
      })
      expect((await verso.get('/v1/media')).body.data).toMatchObject([
        { url: 'https://harbour.example/wp-content/uploads/boat.jpg', width: 800, height: 600, size: 1234, alt: 'A boat' },
      ])
      expect(await importFile(verso, path)).toMatchObject({ posts: { created: 0, updated: 0, unchanged: 1 }, made: { media: 0 } })
    })

    it('GET /v1/posts with a public key: 200 without any post that not everybody could read', async () => {
      const verso = await startVerso(engine)
      const path = await exportOf(
        item({ id: 1, slug: 'open' }),
        item({ id: 2, slug: 'secret', password: 'x' }),
        item({ id: 3, slug: 'private', status: 'private' }),
        item({ id: 4, slug: 'draft', status: 'draft' }),
        item({ id: 5, slug: 'pending', status: 'pending' }),
        item({ id: 6, slug: 'auto', status: 'auto-draft' }),
        item({ id: 7, slug: 'missed', status: 'future', gmt: '2020-01-01 00:00:00' }),
        item({ id: 8, slug: 'coming', status: 'future', gmt: '2030-01-01 00:00:00' }),
        item({ id: 9, slug: 'bin', status: 'trash' }),
        item({ id: 10, slug: 'odd', status: 'wc-completed' }),
        item({ id: 11, slug: 'draft-secret', status: 'draft', password: 'x' }),
        item({ id: 12, slug: 'future-secret', status: 'future', password: 'x', gmt: '2030-01-01 00:00:00' }),
      )
      const report = await importFile(verso, path)
      expect(report).toMatchObject({ posts: { created: 11 }, drafts: 6, scheduled: 1, skipped: { trash: 1 } })
      expect(report.archived.map((each) => each.path)).toEqual([2, 3, 12].map((id) => `https://harbour.example/?p=${id}`))
      verso.context.travelTo('2029-12-31T00:00:00Z')
      expect((await verso.get('/v1/posts?fields=slug', { key: verso.public })).body.data).toMatchObject([{ slug: 'open' }])
      expect((await importFile(verso, path, { trash: true })).posts).toMatchObject({ created: 1, unchanged: 11 })
      expect((await verso.get('/v1/posts/bin')).body.status).toBe('draft')
    })
  })
}

describe('an export of WordPress', () => {
  it('has posts of other types where they are asked for', async () => {
    const path = await exportOf(item({ id: 1, type: 'product' }), item({ id: 2, type: 'page' }), item({ id: 3, type: 'revision' }))
    const kinds = async (options: object) => (await itemsIn(path, options)).map((each) => (each.kind === 'skip' ? each.reason : each.kind))
    expect(await kinds({})).toEqual(['product', 'page', 'revision'])
    expect(await kinds({ types: ['product'] })).toEqual(['post', 'page', 'revision'])
    expect(await kinds({ pages: true })).toEqual(['product', 'post', 'revision'])
  })

  it('names a post by its site and id, whatever its GUID says', async () => {
    const path = await exportOf(item({ id: 1, more: '<guid></guid>' }), item({ id: 2, more: '<guid></guid>' }))
    expect((await itemsIn(path)).map((each) => 'path' in each && each.path)).toEqual([
      'https://harbour.example/?p=1',
      'https://harbour.example/?p=2',
    ])
  })

  it('has local dates where there is no other, in the zone that --timezone names', async () => {
    const path = await exportOf(item({ gmt: '0000-00-00 00:00:00', local: '2020-07-02 04:04:05' }))
    expect(await postIn(path)).toMatchObject({ date: '2020-07-02T04:04:05.000Z', notes: [expect.stringContaining('--timezone')] })
    expect(await postIn(path, { timezone: findTimezone('Europe/Berlin') })).toMatchObject({ date: '2020-07-02T02:04:05.000Z', notes: [] })
  })

  it('has slugs of other scripts decoded, and a title where one is missing', async () => {
    const post = await postIn(await exportOf(item({ title: '', slug: '%ce%ba%cf%8c%cf%83%ce%bc%ce%b5' })))
    expect(post).toMatchObject({ slug: 'kosme', title: 'κόσμε' })
  })

  it.each([
    ['First <b>line</b> &amp; [link]\nsecond', 'First line & [link]'],
    ['<!-- wp:paragraph -->\n<p>Of <em>ships</em><br>and more</p>\n<!-- /wp:paragraph -->', 'Of ships'],
    ['[caption id="x"]<img src="/b.png" alt="B" /> Below[/caption]\n\nText', 'Below'],
    ['<img src="/b.png" alt="B" />', 'Untitled'],
  ])('is called by its first words where it has no title, and no name but its number: %j', async (content, title) => {
    expect((await postIn(await exportOf(item({ id: 5, title: '', slug: '5', content })))).title).toBe(title)
  })

  it('has blocks without their comments, captions as text below the picture, and synced blocks in their places', async () => {
    const content = [
      '<!-- wp:paragraph {"align":"left"} -->\n<p>One\nline</p>\n<!-- /wp:paragraph -->',
      '<!-- wp:block {"ref":77} /-->',
      'Classic\n\n[caption id="x" width="30"]<a href="/b"><img src="/b.png" alt="B" /></a> Below[/caption]\n\n<!--more-->\n\nEnd',
    ].join('\n\n')
    const path = await exportOf(
      item({ content }),
      item({ id: 77, type: 'wp_block', content: '<!-- wp:list --><ul><li>Kept</li></ul><!-- /wp:list -->' }),
    )
    expect((await postIn(path)).content).toBe(
      'One line\n\n- Kept\n\nClassic\n\n[![B](https://harbour.example/b.png)](/b)\n\nBelow\n\n<!--more-->\n\nEnd\n',
    )
  })

  it('has synced blocks that stand in others, each once in itself', async () => {
    const block = (id: number) => `<!-- wp:block {"ref":${id}} /-->`
    const path = await exportOf(
      item({ content: `<p>One</p>${block(77)}${block(78)}` }),
      item({ id: 77, type: 'wp_block', content: `<p>Outer</p>${block(78)}${block(77)}` }),
      item({ id: 78, type: 'wp_block', content: `<p>Inner</p>${block(77)}` }),
    )
    const post = await postIn(path)
    expect(post.content).toBe('One\n\nOuter\n\nInner\n\nInner\n\nOuter\n')
  })

  it('has synced blocks with the words, links and pictures that the post has instead of theirs', async () => {
    const named = (kind: string, name: string, html: string, attributes = '__default') =>
      `<!-- wp:${kind} {"metadata":{"name":"${name}","bindings":{"${attributes}":{"source":"core/pattern-overrides"}}}} -->\n${html}\n<!-- /wp:${kind} -->`
    const stored = [
      named('heading', 'Title', '<h2 class="wp-block-heading">Title</h2>', 'content'),
      named('paragraph', 'Text', '<p>Text</p>'),
      named('paragraph', 'Same', '<p>Same</p>'),
      '<!-- wp:paragraph {"metadata":{"name":"Text"}} --><p>Fixed</p><!-- /wp:paragraph -->',
      `<!-- wp:buttons --><div>${named('button', 'Go', '<div><a class="wp-block-button__link" href="/a">Go</a></div>')}</div><!-- /wp:buttons -->`,
      named('image', 'Boat', '<figure><img src="/a.png" alt="A"/></figure>'),
    ].join('\n\n')
    const content = {
      Title: { content: 'Of \\u003cem\\u003eships\\u003c/em\\u003e' },
      Text: { content: '$& and $1' },
      Go: { text: 'Sail', url: '/b' },
      Boat: { url: '/b.png', alt: 'B' },
      Gone: { content: 'x' },
    }
    const json = JSON.stringify({ ref: 77, content }).replaceAll('\\\\u', '\\u')
    const path = await exportOf(item({ content: `<!-- wp:block ${json} /-->` }), item({ id: 77, type: 'wp_block', content: stored }))
    expect((await postIn(path)).content).toBe(
      '## Of *ships*\n\n$& and $1\n\nSame\n\nFixed\n\n[Sail](/b)\n\n![B](https://harbour.example/b.png)\n',
    )
  })

  it.each([
    ['a draft', { status: 'draft' }],
    ['in the trash', { status: 'trash' }],
    ['private', { status: 'private' }],
    ['behind a password', { password: 'x' }],
  ])('has no synced block that is %s, as its readers had none', async (_, fields) => {
    const content = '<p>Seen</p><!-- wp:block {"ref":77} /--><!-- wp:block {"ref":99} /-->'
    const post = await postIn(await exportOf(item({ content }), item({ id: 77, type: 'wp_block', content: '<p>Secret</p>', ...fields })))
    expect(post).toMatchObject({ status: 'published', content: 'Seen\n' })
    expect(post.losses).toEqual({ 'synced block that was not published': 1, 'synced block that the export does not have': 1 })
  })

  it.each([
    ['[php]<b>echo 1 < 2;</b>[/php]', '```php\n<b>echo 1 < 2;</b>\n```\n'],
    ['[sourcecode language="xml"]\n&lt;a&gt;\n\n&lt;/a&gt;\n[/sourcecode]', '```xml\n<a>\n\n</a>\n```\n'],
    ['<pre lang="php" line="1"><?php if ($a < 1) { ?><p>x</p></pre>', '```php\n<?php if ($a < 1) { ?><p>x</p>\n```\n'],
    ['Raw <?php echo "x"; ?> code', 'Raw \\<?php echo "x"; ?> code\n'],
    ['[php] alone', '\\[php\\] alone\n'],
    ['[caption]a [caption]b', '\\[caption\\]a \\[caption\\]b\n'],
  ])('keeps code that is written as it is: %j', async (content, markdown) => {
    expect((await postIn(await exportOf(item({ content })))).content).toBe(markdown)
  })

  it.each([
    [
      '[caption id="a"]<img src="/a.png" alt="A"> Of [b]ships[/b].[/caption]',
      '![A](https://harbour.example/a.png)\n\nOf \\[b\\]ships\\[/b\\].\n',
    ],
    ['Write [[gallery ids="1"]].', 'Write \\[gallery ids="1"\\].\n'],
    ['Write [[caption]] or [[caption id="a"]x[/caption]].', 'Write \\[caption\\] or \\[caption id="a"\\]x\\[/caption\\].\n'],
    ['Write [[code]x[/code]] or [[php]].', 'Write \\[code\\]x\\[/code\\] or \\[\\[php\\]\\].\n'],
    ['See [[Ships]] and [[ships]].', 'See \\[\\[Ships\\]\\] and \\[\\[ships\\]\\].\n'],
  ])('has shortcodes as its readers saw them: %j', async (content, markdown) => {
    const post = await postIn(await exportOf(item({ content })))
    expect(post.content).toBe(markdown)
    expect(Object.keys(post.losses ?? {}).filter((name) => /gallery|code|php|ships\]/.test(name))).toEqual([])
  })

  it('may have broken characters and entities that XML does not know', async () => {
    const post = await postIn(await exportOf(item({ title: 'A&nbsp;&shy;&#8217;B\u000bC', content: 'x\u0008y' })))
    expect(post.title).toContain('’B')
  })

  it('may name its namespaces as it likes', async () => {
    const text = wxr([item({ title: 'Other' })])
      .replace(/\bwp:/g, 'w:')
      .replace('xmlns:wp', 'xmlns:w')
      .replace(/\bcontent:encoded/g, 'c:encoded')
      .replace('xmlns:content', 'xmlns:c')
    expect(await postIn(await fileOf('e.xml', text))).toMatchObject({ title: 'Other', slug: 'a-ship' })
  })

  it('is read in pieces as it is read whole', async () => {
    const filler = 'é€🎉 '.repeat(40_000)
    const posts = await itemsIn(await exportOf(item({ content: filler }), item({ id: 2, content: filler })))
    expect(posts.map((post) => post.kind === 'post' && post.content.trim() === filler.trim())).toEqual([true, true])
  })
})

describe('a post that plugins keep for members', () => {
  it.each([
    ['Members', { meta: { _members_access_role: 'subscriber' } }, 'archived'],
    ['Jetpack', { meta: { _jetpack_newsletter_access: 'paid_subscribers' } }, 'archived'],
    ['Jetpack, for everybody', { meta: { _jetpack_newsletter_access: 'everybody' } }, 'published'],
    ['Restrict Content', { content: 'open [restrict]secret[/restrict]' }, 'archived'],
    ['WP-Members', { meta: { _wpmem_block: '1' } }, 'archived'],
    ['WP-Members, for everybody', { meta: { _wpmem_block: '0' } }, 'published'],
    [
      'Ultimate Member',
      { meta: { um_content_restriction: 'a:2:{s:26:"_um_custom_access_settings";b:1;s:14:"_um_accessible";s:1:"2";}' } },
      'archived',
    ],
    ['Ultimate Member, for everybody', { meta: { um_content_restriction: 'a:1:{s:14:"_um_accessible";i:0;}' } }, 'published'],
    ['WooCommerce Memberships', { content: 'open [wcm_restrict plans="gold"]secret[/wcm_restrict]' }, 'archived'],
    ['s2Member', { content: 'open [s2If is_user_logged_in()]secret[/s2If]' }, 'archived'],
    ['a password around a part', { content: 'open [content_protector password="x"]secret[/content_protector]' }, 'archived'],
    ['a shortcode of a form', { content: 'open [subscriber_form]' }, 'published'],
    [
      'Jetpack, behind a block',
      { content: 'open <!-- wp:jetpack/paywall /--><!-- wp:paragraph --><p>secret</p><!-- /wp:paragraph -->' },
      'archived',
    ],
    ['a form of Jetpack', { content: 'open <!-- wp:jetpack/subscriptions /-->' }, 'published'],
    [
      'a block that is hidden',
      { content: '<!-- wp:group {"metadata":{"blockVisibility":false}} --><p>secret</p><!-- /wp:group -->' },
      'archived',
    ],
    ['another shortcode', { content: 'open [gallery ids="1"]' }, 'published'],
  ])('%s', async (_, fields, status) => {
    expect((await postIn(await exportOf(item(fields)))).status).toBe(status)
  })
})

it('a post is archived for what a synced block in a synced block of it keeps for members', async () => {
  const path = await exportOf(
    item({ content: '<p>Open</p><!-- wp:block {"ref":77} /-->' }),
    item({ id: 77, type: 'wp_block', content: '<!-- wp:block {"ref":78} /-->' }),
    item({ id: 78, type: 'wp_block', content: '<p>[members_only]Secret[/members_only]</p>' }),
  )
  expect((await postIn(path)).status).toBe('archived')
})

it('blocks that the site fills in while it is read are counted by name', async () => {
  const content =
    '<p>Text</p><!-- wp:acf/quote {"data":{"quote":"Ahoy"}} /--><!-- wp:latest-posts /--><!-- wp:latest-posts {"postsToShow":3} /--><!-- wp:footnotes /-->'
  const post = await postIn(await exportOf(item({ content })))
  expect(post).toMatchObject({
    content: 'Text\n',
    losses: { 'block acf/quote without a text': 1, 'block latest-posts without a text': 2 },
  })
})

it('a link leads to a heading in another block', async () => {
  const content =
    '<!-- wp:paragraph --><p><a href="#tides">Tides</a></p><!-- /wp:paragraph --><!-- wp:heading --><h2 class="x" id="tides">Of tides</h2><!-- /wp:heading -->'
  expect((await postIn(await exportOf(item({ content })))).content).toBe('[Tides](#tides)\n\n## Of tides {#tides}\n')
})

it('footnotes come in where their block stands', async () => {
  const content =
    '<!-- wp:paragraph -->\n<p>Ships<sup data-fn="n-1" class="fn"><a href="#n-1" id="n-1-link">1</a></sup> sail.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:footnotes /-->'
  const footnotes = '[{"content":"Most <em>do</em>.","id":"n-1"},{"content":"No more.","id":"a b"},1]'
  const post = await postIn(await exportOf(item({ content, meta: { footnotes } })))
  expect(post).toMatchObject({
    content: 'Ships<sup>[1](#n-1)</sup> sail.\n\n1. <a id="n-1"></a>Most *do*.\n2. No more.\n',
    losses: {},
  })
  const broken = await postIn(await exportOf(item({ content, meta: { footnotes: '[{' } })))
  expect(broken.content).toBe('Ships<sup>[1](#n-1)</sup> sail.\n')
})

it('a post without text is counted, and a text that only a page builder has is named', async () => {
  const post = await postIn(await exportOf(item({ content: '', meta: { _elementor_data: '[{}]' } })))
  expect(post.notes).toEqual(['its text is in the data of Elementor alone, which is not read'])
  expect(post.losses).toEqual({ 'posts without text': 1 })
})
