import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPieces } from '../../src/values/json-pieces.ts'

const long = fc
  .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 9 }), fc.nat(70_000))
  .map(([text, length]) => text.repeat(length / text.length + 1))
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    long,
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, undefined, true, 1.5),
    fc.array(tie('any'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.string(), tie('any'), { maxKeys: 5 }),
})).object

test('JSON in pieces is the JSON of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (object) => {
      expect(Buffer.concat(await jsonPieces(object as object)).toString()).toBe(JSON.stringify(object))
    }),
    { numRuns: 100 },
  )
})
