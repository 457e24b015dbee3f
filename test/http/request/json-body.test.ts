import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/http/request/json-body.ts'

describe('the body of a request', () => {
  it('is what was sent, in any script', () => {
    const value = fc.record({ text: fc.string({ unit: 'grapheme' }), texts: fc.array(fc.string({ unit: 'binary' })) })
    fc.assert(
      fc.property(value, (sent) => {
        expect(parseJson(Buffer.from(JSON.stringify(sent)))).toEqual(sent)
      }),
    )
  })

  it('may begin with a byte order mark, whatever follows', () => {
    for (const text of ['plain', 'größer', '漢字', '\ufeff'])
      expect(parseJson(Buffer.from(`\ufeff${JSON.stringify({ text })}`)), text).toEqual({ text })
  })
})
