/** Large posts, each expensive in another way: to parse, to validate, to split into words, or to index. A number makes each another one. */
export const largeBodies: Readonly<Record<string, (n: number) => { readonly path: string; readonly body: Buffer }>> = {
  '1 MiB of a few words': () => post({ content: 'word '.repeat(200_000) }),
  '100,000 different words': (n) => post({ content: Array.from({ length: 100_000 }, (_, i) => `${n}w${i.toString(36)}`).join(' ') }),
  '330,000 Chinese characters': (n) => post({ content: chinese(330_000, n) }),
  'Cyrillic words': (n) => post({ content: Array.from({ length: 50_000 }, (_, i) => `слово${n}${i.toString(36)}`).join(' ') }),
  'letters with many marks': () => post({ content: `a${'\u0301\u0327'.repeat(20)}`.repeat(12_000) }),
  'letters that become several': () => post({ content: '\u1fb7\ufb03\u0390 '.repeat(80_000) }),
  '95 long posts in Chinese at once': (n) =>
    batch(Array.from({ length: 95 }, (_, i) => ({ op: 'create', body: { title: `Post ${i}`, content: chinese(6_500, 95 * n + i) } }))),
  '19,000 tags': () => post({ tags: Array.from({ length: 19_000 }, (_, i) => `tag ${i}`) }),
  'a million brackets': () => ({ path: '/v1/posts', body: Buffer.from(`{"title":${'['.repeat(1_000_000)}`) }),
}

function post(fields: object) {
  return { path: '/v1/posts', body: Buffer.from(JSON.stringify({ title: 'Large', ...fields })) }
}

function batch(operations: readonly object[]) {
  return { path: '/v1/posts/batch', body: Buffer.from(JSON.stringify({ operations })) }
}

/** Characters in no order, so that hardly any pair of them comes twice. */
function chinese(length: number, seed: number): string {
  let text = ''
  let state = seed + 1
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    text += String.fromCharCode(0x4e00 + ((state >> 8) % 20_000))
  }
  return text
}
