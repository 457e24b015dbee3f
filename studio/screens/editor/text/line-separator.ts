/** Of a text the line ending, so that it comes back byte for byte. Where endings are mixed, `\r` is a character like others. */
export function lineSeparatorOf(text: string): '\n' | '\r\n' {
  return /\r\n/.test(text) && !/\r(?!\n)|(?<!\r)\n/.test(text) ? '\r\n' : '\n'
}
