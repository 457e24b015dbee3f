// Makes an export of WordPress of any size: what editors, plugins and years leave in one, the same at every call.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const words =
  'harbour tide lantern rope anchor captain morning letter window river market bread summer winter stone garden engine wheel signal paper story village bridge forest music silver copper glass shadow evening kitchen silence thunder orchard meadow ladder basket candle feather'.split(
    ' ',
  )

/** Writes an export of so many posts: a fifth as many pictures, some drafts, comments and pages. */
export async function writeExport(path, posts) {
  const file = createWriteStream(path)
  const write = async (text) => file.write(text) || once(file, 'drain')
  await write(head())
  for (let i = 0; i < posts; i++) {
    if (i % 5 === 0) await write(attachment(i))
    if (i % 100 === 0) await write(item(i, { id: 2_000_000 + i, type: 'page', content: blocks(i) }))
    await write(post(i))
  }
  file.end('</channel>\n</rss>\n')
  await once(file, 'close')
}

function head() {
  const each = (count, make) => Array.from({ length: count }, (_, i) => make(i)).join('\n')
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Harbour news</title><link>https://harbour.example</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>https://harbour.example</wp:base_site_url><wp:base_blog_url>https://harbour.example</wp:base_blog_url>
${each(20, (i) => `<wp:author><wp:author_id>${i}</wp:author_id><wp:author_login>${cdata(`author${i}`)}</wp:author_login><wp:author_email>${cdata(`author${i}@harbour.example`)}</wp:author_email><wp:author_display_name>${cdata(`Author ${i}`)}</wp:author_display_name></wp:author>`)}
${each(30, (i) => `<wp:category><wp:term_id>${i}</wp:term_id><wp:category_nicename>${cdata(`category-${i}`)}</wp:category_nicename><wp:cat_name>${cdata(`Category ${i}`)}</wp:cat_name></wp:category>`)}
`
}

function post(i) {
  const content = i % 3 === 0 ? classic(i) : blocks(i)
  const term = (domain, name) => `<category domain="${domain}" nicename="${name.toLowerCase().replace(' ', '-')}">${cdata(name)}</category>`
  const terms = [
    term('category', `Category ${i % 30}`),
    ...(i % 4 === 0 ? [term('category', `Category ${(i + 7) % 30}`)] : []),
    ...[3, 7, 11].map((n) => term('post_tag', `Tag ${(i * n) % 300}`)),
  ]
  const meta = {
    _edit_last: 1,
    _thumbnail_id: 1_000_000 + (i - (i % 5)),
    _yoast_wpseo_primary_category: i % 30,
    _yoast_wpseo_metadesc: sentence(i, 90),
  }
  const comments = Array.from(
    { length: i % 4 },
    (_, n) =>
      `<wp:comment><wp:comment_id>${i * 4 + n}</wp:comment_id><wp:comment_content>${cdata(sentence(i, n))}</wp:comment_content></wp:comment>`,
  )
  return item(i, { id: i + 1, type: 'post', content, meta, more: [...terms, ...comments].join('\n') })
}

function attachment(i) {
  const url = `https://harbour.example/wp-content/uploads/2020/01/picture-${i}.jpg`
  const metadata = `a:5:{s:5:"width";i:1200;s:6:"height";i:800;s:4:"file";s:21:"2020/01/picture-${i}.jpg";s:8:"filesize";i:${100_000 + i};}`
  const meta = {
    _wp_attached_file: `2020/01/picture-${i}.jpg`,
    _wp_attachment_metadata: metadata,
    _wp_attachment_image_alt: sentence(i, 5),
  }
  return item(i, { id: 1_000_000 + i, type: 'attachment', content: '', meta, more: `<wp:attachment_url>${cdata(url)}</wp:attachment_url>` })
}

function item(i, { id, type, content, meta = {}, more = '' }) {
  const date = new Date(Date.UTC(2008, 0, 1) + i * 5_400_000).toISOString().slice(0, 19).replace('T', ' ')
  const status = type === 'attachment' ? 'inherit' : i % 50 === 0 ? 'draft' : i % 70 === 0 ? 'private' : 'publish'
  const slug = `${words[i % words.length]}-${words[(i * 7) % words.length]}-${id}`
  const metas = Object.entries(meta).map(
    ([key, value]) => `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
  )
  return `<item><title>${cdata(sentence(i, 1))}</title><link>https://harbour.example/${date.slice(0, 4)}/${date.slice(5, 7)}/${slug}/</link>
<pubDate>${date}</pubDate><dc:creator>${cdata(`author${i % 20}`)}</dc:creator><guid isPermaLink="false">https://harbour.example/?p=${id}</guid><description></description>
<content:encoded>${cdata(content)}</content:encoded><excerpt:encoded>${cdata(i % 3 === 0 ? sentence(i, 2) : '')}</excerpt:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_date>${cdata(date)}</wp:post_date><wp:post_date_gmt>${cdata(date)}</wp:post_date_gmt>
<wp:post_modified_gmt>${cdata(date)}</wp:post_modified_gmt><wp:comment_status>open</wp:comment_status><wp:post_name>${cdata(slug)}</wp:post_name>
<wp:status>${cdata(status)}</wp:status><wp:post_parent>0</wp:post_parent><wp:post_type>${cdata(type)}</wp:post_type><wp:post_password></wp:post_password>
${metas.join('\n')}${more}</item>
`
}

function sentence(i, n) {
  const length = 6 + ((i + n) % 12)
  const text = Array.from({ length }, (_, w) => words[(i * 31 + n * 17 + w * (7 + (n % 5))) % words.length]).join(' ')
  return `${text[0].toUpperCase()}${text.slice(1)}.`
}

function paragraph(i, n) {
  const sentences = [0, 1, 2, 3].map((s) => sentence(i + s, n * 4 + s))
  const link = `<a href="https://harbour.example/?p=${(i * 13 + n) % 10_000}">${words[(i + n) % words.length]} &amp; more</a>`
  return `${sentences[0]} <strong>${sentences[1]}</strong> ${sentences[2]} It&#8217;s ${link}, <em>${words[n % words.length]}</em> and “so on”. ${sentences[3]}`
}

/** As the block editor stores it. */
function blocks(i) {
  const picture = i - (i % 5)
  const parts = [
    `<!-- wp:paragraph -->\n<p>${paragraph(i, 0)}</p>\n<!-- /wp:paragraph -->`,
    `<!-- wp:image {"id":${1_000_000 + picture},"sizeSlug":"large"} -->\n<figure class="wp-block-image size-large"><img src="https://harbour.example/wp-content/uploads/2020/01/picture-${picture}-1024x683.jpg" alt="${sentence(i, 5)}" class="wp-image-${picture}"/><figcaption class="wp-element-caption">${sentence(i, 6)}</figcaption></figure>\n<!-- /wp:image -->`,
    `<!-- wp:heading -->\n<h2 class="wp-block-heading">${sentence(i, 7)}</h2>\n<!-- /wp:heading -->`,
    `<!-- wp:paragraph -->\n<p>${paragraph(i, 1)}</p>\n<!-- /wp:paragraph -->`,
    `<!-- wp:list -->\n<ul class="wp-block-list">${[1, 2, 3, 4].map((n) => `<!-- wp:list-item -->\n<li>${sentence(i, n)}</li>\n<!-- /wp:list-item -->`).join('\n')}</ul>\n<!-- /wp:list -->`,
    `<!-- wp:paragraph -->\n<p>${paragraph(i, 2)}</p>\n<!-- /wp:paragraph -->`,
    `<!-- wp:quote -->\n<blockquote class="wp-block-quote"><p>${sentence(i, 8)}</p><cite>${words[i % words.length]}</cite></blockquote>\n<!-- /wp:quote -->`,
  ]
  if (i % 7 === 1)
    parts.push(
      `<!-- wp:table -->\n<figure class="wp-block-table"><table><thead><tr><th>${words[i % 9]}</th><th>price</th></tr></thead><tbody><tr><td>${sentence(i, 9)}</td><td>${i}</td></tr><tr><td>b</td><td>2</td></tr></tbody></table></figure>\n<!-- /wp:table -->`,
    )
  if (i % 9 === 1)
    parts.push(`<!-- wp:code -->\n<pre class="wp-block-code"><code>if (a &lt; ${i}) {\n  sail()\n}</code></pre>\n<!-- /wp:code -->`)
  if (i % 11 === 1)
    parts.push(
      `<!-- wp:embed {"url":"https://video.example/${i}"} -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://video.example/${i}\n</div></figure>\n<!-- /wp:embed -->`,
    )
  return parts.join('\n\n')
}

/** As the editor before it did: lines, and shortcodes. */
function classic(i) {
  const picture = i - (i % 5)
  return [
    paragraph(i, 0),
    `[caption id="attachment_${picture}" align="alignnone" width="300"]<a href="https://harbour.example/wp-content/uploads/2020/01/picture-${picture}.jpg"><img src="https://harbour.example/wp-content/uploads/2020/01/picture-${picture}-300x200.jpg" alt="" width="300" height="200" /></a> ${sentence(i, 3)}[/caption]`,
    `${paragraph(i, 1)}\n${sentence(i, 2)}`,
    '<!--more-->',
    `<h3>${sentence(i, 4)}</h3>`,
    `<ol>\n<li>${sentence(i, 5)}</li>\n<li>${sentence(i, 6)}</li>\n</ol>`,
    `${paragraph(i, 2)}&nbsp;`,
    paragraph(i, 3),
  ].join('\r\n\r\n')
}

function cdata(value) {
  return `<![CDATA[${String(value).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}
