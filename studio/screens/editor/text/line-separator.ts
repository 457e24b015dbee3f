/**
 * The line ending of a text, for `EditorState.lineSeparator`, so that the text comes back byte for byte. Where endings are mixed, `\r` is a
 * character like others.
 */
export function lineSeparatorOf(text: string): '\n' | '\r\n' {
  return /\r\n/.test(text) && !/\r(?!\n)|(?<!\r)\n/.test(text) ? '\r\n' : '\n'
}
