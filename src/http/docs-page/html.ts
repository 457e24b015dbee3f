/** HTML that is safe to send as it is. It comes about by the tag `html` alone, which escapes everything that is put into it. */
export class Html {
  constructor(readonly text: string) {}
}

export type Content = Html | string | number | undefined | readonly Content[]

/** Makes HTML of a template: what is HTML already stays, lists are joined, `undefined` is nothing, all else is escaped as text. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(parts.map((part, i) => part + textOf(contents[i])).join(''))
}

/** Prose with `code` in it, as descriptions are written; a blank line begins a paragraph. */
export function prose(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

export function inline(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** JSON to read, its names marked. */
export function json(value: unknown): Html {
  const lines = JSON.stringify(value, null, 2).split('\n')
  return html`${lines.map((line, i) => html`${i > 0 ? '\n' : ''}${jsonLine(line)}`)}`
}

function jsonLine(line: string): Html {
  const [whole = '', space = '', name = ''] = /^( *)("(?:[^"\\]|\\.)*")(?=: )/.exec(line) ?? []
  return whole === '' ? html`${line}` : html`${space}<b>${name}</b>${line.slice(whole.length)}`
}

function textOf(content: Content): string {
  if (content === undefined) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return escaped(String(content))
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
