import fc from 'fast-check'

/** `<<kind:n>>` stands for something in an earlier response: an id by its prefix, a slug, a cursor, an ETag. */
export const known = (...kinds: readonly string[]) => fc.tuple(fc.constantFrom(...kinds), fc.nat(40)).map(([kind, n]) => `<<${kind}:${n}>>`)

/** Text that parts of the program might treat differently: case folding, normal forms, planes, direction, special characters of SQL and URLs. */
const odd = [
  ...[
    'Straße',
    'STRASSE',
    'ΣΊΣΥΦΟΣ',
    'σίσυφος',
    'İstanbul',
    'ıi',
    'é',
    'e\u0301',
    'Å',
    '\u212b',
    'ﬁ',
    'ǅ',
    '日本語',
    'Ж жё',
    'אב',
    '👩‍👩‍👧',
  ],
  ...[
    '𝒳y',
    'ﷺ',
    '\u{10ffff}',
    '\uffff',
    '\ue000',
    'a\u200d',
    'a\u202e',
    'a\u00a0b',
    '\ufeffa',
    'a\t\n\rb',
    '%_\\',
    '%25',
    "'; --",
    '"',
    '$1',
  ],
  ...[
    '?',
    ':a',
    '  two  ',
    '__proto__',
    'null',
    '0',
    '-1',
    'A',
    'a',
    'B',
    'Z',
    '_',
    '-',
    'a-2',
    'x'.repeat(80),
    'y'.repeat(300),
    '𝒳'.repeat(300),
  ],
]
const unacceptable = ['', ' ', '\ud800', 'a\udfff', 'a\u0000b', 'x'.repeat(81), 'y'.repeat(301)]

export const words = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom('Hello, world', 'hello world', 'About us', 'News', 'Zebra', 'apple', 'Äpfel', 'Title 2', 'Title 10'),
  },
  { weight: 30, arbitrary: fc.constantFrom(...odd) },
  { weight: 10, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(...unacceptable) },
)

const day = 86_400_000
/** Days around the time of the first request. */
export const days = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((n) => new Date(Date.UTC(2026, 5, 1, 12) + n * day).toISOString())
export const instants = fc.oneof(
  { weight: 4, arbitrary: days(-90, 90) },
  fc.constantFrom(
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-06-01T14:00:00.1239+02:00',
    '2026-06-30T23:59:60Z',
    '2026-02-29T00:00:00Z',
  ),
  fc.constantFrom('2024-02-29T00:00:00-23:59', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00', '2026-06-01', 'now', ''),
)
export const numbers = fc.constantFrom(
  ...[
    '0',
    '1',
    '2',
    '3',
    '20',
    '99',
    '100',
    '101',
    '1000000000',
    '1000000001',
    '1e18',
    '9223372036854775808',
    '-1',
    '1.5',
    '01',
    '',
    'ten',
    ' 1',
  ],
)
export const integers = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  fc.constantFrom(0, 1, -0, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e18, 1e300, -1),
)

export const statuses = fc.constantFrom('draft', 'scheduled', 'published', 'archived')
export const mimeTypes = fc.constantFrom('image/png', 'image/svg+xml', 'image/webp', 'image/bmp')

/** The usual value, and rarely another one. */
export const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: other })
const anything: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(null, true, 5, '', [], {}, ['a'], { a: 1 }, 'x')

/** An object with these fields: the named ones always, the others now and then, each rarely with a wrong value. */
export function fields(
  all: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  always: readonly string[] = [],
): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, mostly(value, anything)]))
  return fc.record(values, { requiredKeys: [...always] })
}

/** Percent-encoded; lone surrogates as bytes that are not UTF-8. */
export function encoded(text: string): string {
  if (text.startsWith('<<')) return text
  return [...text].map((letter) => (/^[\ud800-\udfff]$/.test(letter) ? '%ED%A0%80' : encodeURIComponent(letter))).join('')
}
