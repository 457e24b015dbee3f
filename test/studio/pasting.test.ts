import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../harness/program.ts'
import { button, dialog, said, studioOfFile } from './steps.ts'

/** What a program puts into the clipboard, or what is dragged. */
interface Copied {
  readonly html?: string
  readonly plain?: string
  /** The type of a file. */
  readonly file?: string
}

/** Pastes it, or drops it on the text at a place in the window. */
const take = (page: Page, { html = '', plain = '', file }: Copied, type: 'paste' | 'drop' = 'paste', [clientX, clientY] = [0, 0]) =>
  page.locator('.cm-content').evaluate(
    (element, copied) => {
      const data = new DataTransfer()
      if (copied.html) data.setData('text/html', copied.html)
      if (copied.plain) data.setData('text/plain', copied.plain)
      if (copied.file) data.items.add(new File(['<svg/>'], 'pier', { type: copied.file }))
      const about = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        copied.type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, ...about })
          : new DragEvent('drop', { dataTransfer: data, clientX: copied.clientX, clientY: copied.clientY, ...about }),
      )
    },
    { html, plain, file, type, clientX, clientY },
  )

const data = 'data:image/png;base64,iVBORw0KGgo='

/** As Google Docs wraps everything, bold or not. */
const docs = (html: string) => `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1f">${html}</b>`
const run = (text: string, style: string) => `<span style="font-size:11pt;${style}">${text}</span>`
const item = (text: string) => `<li dir="ltr" style="font-weight:400"><p dir="ltr" role="presentation">${run(text, '')}</p></li>`

const texts: Readonly<Record<string, readonly [Copied, string]>> = {
  'Google Docs: the styles of runs': [
    {
      html: docs(
        `<p dir="ltr">${run('High ', 'font-weight:700;font-style:normal')}${run('and ', 'font-weight:400')}${run('low', 'font-weight:400;font-style:italic')}${run(' or ', '')}${run('both', 'font-weight:700;font-style:italic')}${run(', not ', '')}${run('none', 'text-decoration:line-through')}.</p><br><p>The end.</p>`,
      ),
      plain: 'High and low',
    },
    '**High** and *low* or ***both***, not ~~none~~.\n\nThe end.',
  ],
  'Google Docs: runs of one kind beside each other': [
    {
      html: docs(`<p>${run('one', 'font-weight:700')}${run('two', 'font-weight:700;font-style:italic')}</p>`),
      plain: 'onetwo',
    },
    '**one*two***',
  ],
  'Google Docs: lists in lists, headings, links': [
    {
      html: docs(
        `<ul>${item('One')}<ul>${item('Inner')}</ul>${item('Two')}</ul><h2 dir="ltr">${run('Tides', 'font-weight:400')}</h2><p>${`<a href="https://example.com/" style="text-decoration:none;">${run('here', 'text-decoration:underline')}</a>`}</p>`,
      ),
      plain: 'One',
    },
    '- One\n  - Inner\n- Two\n\n## Tides\n\n[here](https://example.com/)',
  ],
  'a numbered list': [
    { html: '<ol start="9"><li>Nine</li><li><p>Ten</p><p>More.</p></li></ol>', plain: 'Nine' },
    '9. Nine\n10. Ten\n\n    More.',
  ],
  'styles alone': [{ html: '<span style="font-weight: bold">High</span> tide', plain: 'High tide' }, '**High** tide'],
  'code of an editor': [{ html: '<pre><span style="font-weight:bold">if</span> (a)</pre>', plain: 'if (a)' }, 'if (a)'],
  'a picture of a page': [
    { html: '<img src="https://pictures.example/a" alt="Pier">', file: 'image/png' },
    '![Pier](https://pictures.example/a)',
  ],
}

describe('pasting', () => {
  const { started, enter } = studioOfFile()
  const opened = async (name: string, content = '') => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: name, content })).body
    const { page, complaints } = await enter({ name, path: `posts/${id}` })
    await page.locator('.cm-content').waitFor()
    const written = (content: string) =>
      expect.poll(async () => (await verso.get(`/v1/posts/${id}/pending`)).body.content, { timeout: 20_000 }).toBe(content)
    return { page, complaints, written }
  }

  it('rich text comes in as the Markdown that one sees', async () => {
    const { page, complaints, written } = await opened('Pat Paste')
    for (const [copied, markdown] of Object.values(texts)) {
      await page.locator('.cm-content').press('Control+A')
      await take(page, copied)
      await written(markdown)
    }
    expect(complaints).toEqual([])
  })

  it.each([
    ['pasted', { file: 'image/png' }, 'paste'],
    ['dropped', { file: 'image/svg+xml' }, 'drop'],
    ['that is an address of its data', { plain: data }, 'paste'],
    ['of a page that holds its data', { html: `<img src="${data}">`, file: 'image/png' }, 'paste'],
  ] as const)('a picture %s: one is asked for its address', async (what, copied, type) => {
    const { page, complaints, written } = await opened(`Pic ${what}`)
    await take(page, copied, type)
    await dialog(page).getByText('Verso shows pictures by their address').waitFor()
    await dialog(page).getByLabel('Address of the picture').fill('https://pictures.example/pier(1.png')
    await dialog(page).getByLabel('Alternative text').fill('A pier [east]')
    await button(dialog(page), 'Insert').click()
    await written('![A pier \\[east\\]](https://pictures.example/pier%281.png)')
    expect(complaints).toEqual([])
  })

  it('what is dropped goes where it is dropped, not where one writes', async () => {
    const { page, written } = await opened('Don Drop', 'One.\n\nTwo.')
    await page.locator('.cm-content').press('Control+End')
    const line = await page.locator('.cm-line').first().boundingBox()
    const start = [Math.ceil(line?.x ?? 0), (line?.y ?? 0) + 5] as const
    await take(page, { plain: 'https://pictures.example/pier.png' }, 'drop', [...start])
    await written('![](https://pictures.example/pier.png)One.\n\nTwo.')
    await take(page, { html: '<p>High <b>tide</b></p>', plain: 'High tide' }, 'drop', [...start])
    await written('High **tide**![](https://pictures.example/pier.png)One.\n\nTwo.')
  })

  it('a file may be dropped on the text alone: elsewhere the browser would open it', async () => {
    const { page, complaints } = await opened('File Beside', 'One.')
    const file = join(temporaryFolder(), 'pier.txt')
    writeFileSync(file, 'Two.')
    const taken = await page.evaluateHandle(() => {
      const effects: string[] = []
      addEventListener('dragover', ({ defaultPrevented, dataTransfer }) =>
        effects.push(defaultPrevented && dataTransfer?.dropEffect === 'none' ? 'refused' : 'taken'),
      )
      return effects
    })
    const devtools = await page.context().newCDPSession(page)
    for (const part of ['.desk-bar', '.cm-line']) {
      const { x = 0, y = 0 } = (await page.locator(part).first().boundingBox()) ?? {}
      const drag = { x: x + 2, y: y + 2, data: { items: [], files: [file], dragOperationsMask: 1 } }
      for (const type of ['dragEnter', 'dragOver'] as const) await devtools.send('Input.dispatchDragEvent', { type, ...drag })
    }
    await expect.poll(async () => new Set(await taken.jsonValue())).toEqual(new Set(['refused', 'taken']))
    expect(complaints).toEqual([])
  })

  it('of a text with pictures that have no address, the text is pasted, and that is said', async () => {
    const { page, written } = await opened('Mia Mixed')
    await take(page, { html: `<p>High <b>tide</b></p><p><img src="${data}"></p>`, plain: 'High tide' })
    await written('High **tide**')
    await said(page, 'Pictures without an address of their own were left out')
  })
})
