import { describe, expect, it } from 'vitest'
import { type HostFormat, hostFile } from '../../../src/cli/redirects/host-files.ts'

const to = '/blog/new'
const from = (...paths: readonly string[]) => paths.map((path) => ({ from: path, to }))
const rules = (format: HostFormat, ...paths: readonly string[]) => hostFile(format, from(...paths)).text
const untold = (format: HostFormat, ...paths: readonly string[]) => hostFile(format, from(...paths)).untold.map((each) => each.from)

describe('verso redirects --format netlify', () => {
  it('a line for each, escaped, with the parameters of a query between', () => {
    const text = rules('netlify', '/old/', '/caf%C3%A9/a%20b', '/100%25', "/it's", '/?p=17&lang=en')
    expect(text).toBe(
      [
        '/old/ /blog/new 301',
        '/caf%C3%A9/a%20b /blog/new 301',
        '/100%25 /blog/new 301',
        "/it's /blog/new 301",
        '/ p=17 lang=en /blog/new 301',
        '',
      ].join('\n'),
    )
  })

  it('leaves out patterns, queries that are not plain, what leads to itself, and a second spelling of a path', () => {
    const paths = ['/a*', '/:a', '/?q=a%20b', '/?=x', '/blog/new/', '/blog/new?x=1', '/a', '/a/', '/a/../b', '/a/%2E%2E/b']
    expect(untold('netlify', ...paths)).toEqual(paths.filter((path) => path !== '/a'))
  })
})

describe('verso redirects --format vercel', () => {
  it('escapes patterns of paths and expressions of queries', () => {
    const { redirects } = JSON.parse(rules('vercel', '/old', '/a(b)/:c*.html', '/?p=1.7&x=(y)'))
    expect(redirects).toEqual([
      { source: '/old', destination: to, statusCode: 301 },
      { source: '/a\\(b\\)/\\:c\\*.html', destination: to, statusCode: 301 },
      {
        source: '/',
        has: [
          { type: 'query', key: 'p', value: '1\\.7' },
          { type: 'query', key: 'x', value: '\\(y\\)' },
        ],
        destination: to,
        statusCode: 301,
      },
    ])
  })

  it('leaves out what is beyond 2,048', () => {
    const many = Array.from({ length: 2_050 }, (_, i) => `/${i}`)
    expect(untold('vercel', ...many)).toEqual(['/2048', '/2049'])
    expect(JSON.parse(rules('vercel')).redirects).toEqual([])
  })
})

describe('verso redirects --format nginx', () => {
  it('maps decoded paths and undecoded queries, quoted', () => {
    const text = rules('nginx', '/old', '/caf%C3%A9/a%20b', '/a%22b', '/a$b;{c}', '/?p=17', '/q?a=%22b%22')
    expect(text.split('\n').slice(2)).toEqual([
      'map $uri $verso_path_redirect {',
      '  default "";',
      '  "/old" "/blog/new";',
      '  "/café/a b" "/blog/new";',
      '  "/a\\"b" "/blog/new";',
      '  "/a$b;{c}" "/blog/new";',
      '}',
      'map $request_uri $verso_redirect {',
      '  default $verso_path_redirect;',
      '  "/?p=17" "/blog/new";',
      '  "/q?a=%22b%22" "/blog/new";',
      '}',
      '',
    ])
  })

  it('compares what was sent where a path has two slashes in a row, which nginx merges in the decoded path', () => {
    const [, query = ''] = rules('nginx', '/a//b%20c').split('map $request_uri')
    expect(query).toContain('  "/a//b%20c" "/blog/new";')
  })

  it('paths that differ in case alone are expressions, since plain keys are compared without case', () => {
    const text = rules('nginx', '/Gites (1)/', '/gites (1)/', '/other')
    expect(text).toContain(String.raw`"~^\\/Gites \\(1\\)\\/$" "/blog/new";`)
    expect(text).toContain(String.raw`"~^\\/gites \\(1\\)\\/$" "/blog/new";`)
    expect(text).toContain('  "/other" "/blog/new";')
  })

  it('compares case where a plain key would lead the page of a post to itself, or another page of the site away', () => {
    const text = rules('nginx', '/Blog/New', '/About/')
    expect(text).toContain(String.raw`"~^\\/Blog\\/New$" "/blog/new";`)
    expect(text).toContain(String.raw`"~^\\/About\\/$" "/blog/new";`)
    expect(hostFile('nginx', [{ from: '/notes/caf%C3%A9', to: '/Notes/caf%C3%A9' }]).text).toContain(String.raw`"~^\\/notes\\/café$"`)
    expect(hostFile('nginx', [{ from: '/notes/one', to: '/Notes/two' }]).text).toContain(String.raw`"~^\\/notes\\/one$" "/Notes/two";`)
  })

  it('makes room for long keys, and leaves out bytes that are no text', () => {
    expect(rules('nginx', `/${'x'.repeat(300)}`)).toContain('map_hash_bucket_size 512;')
    expect(untold('nginx', '/%FF', '/a%0Ab', '/%00')).toEqual(['/%FF', '/a%0Ab', '/%00'])
  })
})

describe('verso redirects --format astro', () => {
  it('is a module of routes, decoded', async () => {
    const text = rules('astro', '/old/', '/caf%C3%A9/a%20b', '/a%22b')
    const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { default: unknown }
    expect(module.default).toEqual({ '/old/': to, '/café/a b': to, '/a"b': to })
  })

  it('leaves out queries, brackets and what cannot be a route', () => {
    const paths = ['/?p=1', '/%5Ba%5D', '/100%25', '/%FF', '/blog/new/']
    expect(untold('astro', ...paths)).toEqual(paths)
  })
})
