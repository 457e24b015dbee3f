/** An export of WordPress with these items. */
export function wxr(items: readonly string[], channel = ''): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>Harbour</title><link>https://harbour.example</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://harbour.example</wp:base_blog_url>
<wp:author><wp:author_login><![CDATA[ada]]></wp:author_login><wp:author_email><![CDATA[ada@harbour.example]]></wp:author_email><wp:author_display_name><![CDATA[Ada <b>Lovelace</b>]]></wp:author_display_name></wp:author>
<wp:category><wp:term_id>7</wp:term_id><wp:category_nicename>ships</wp:category_nicename><wp:cat_name><![CDATA[Ships]]></wp:cat_name></wp:category>
${channel}
${items.join('\n')}
</channel></rss>
`
}

interface Item {
  readonly id?: number | string
  readonly title?: string
  readonly content?: string
  readonly status?: string
  readonly type?: string
  readonly slug?: string
  readonly password?: string
  readonly gmt?: string
  readonly local?: string
  readonly meta?: Readonly<Record<string, string>>
  /** Elements besides. */
  readonly more?: string
}

export function item(fields: Item = {}): string {
  const { id = 1, title = 'A ship', content = '', status = 'publish', type = 'post', slug = 'a-ship', password = '' } = fields
  const { gmt = '2020-01-02 03:04:05', local = '2020-01-02 04:04:05', meta = {}, more = '' } = fields
  const metas = Object.entries(meta).map(
    ([key, value]) => `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`,
  )
  return `<item><title>${title}</title><link>https://harbour.example/2020/01/${slug}/</link><dc:creator><![CDATA[ada]]></dc:creator>
<content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_date>${local}</wp:post_date>
<wp:post_date_gmt>${gmt}</wp:post_date_gmt><wp:post_name>${slug}</wp:post_name><wp:status>${status}</wp:status>
<wp:post_type>${type}</wp:post_type><wp:post_password>${password}</wp:post_password>${metas.join('')}${more}</item>`
}
