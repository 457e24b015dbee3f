import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A small blog as Markdown files: 12 posts, two authors, three tags, a draft, and what a renderer can stumble over. */
export function writeBlog(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (let i = 1; i <= 12; i++)
    writeFileSync(
      join(folder, `2026-01-${String(i).padStart(2, '0')}-day-${i}.md`),
      [
        '---',
        `title: Day ${i} & night`,
        `description: What happened on day ${i}.`,
        `author: ${i % 3 ? 'Mira Holt' : 'Jon Berg'}`,
        `tags: [${i % 2 ? 'Sea' : 'Harbour, Sea'}]`,
        ...(i === 3 ? ['aliases: [/old/day-3/]'] : []),
        '---',
        parts[i % parts.length]?.replace('LONG', 'x'.repeat(200)),
        '',
      ].join('\n'),
    )
  writeFileSync(join(folder, '2026-02-01-not-yet.md'), '---\ntitle: Not yet\ndraft: true\nauthor: Mira Holt\n---\nA **draft**.\n')
}

const parts = [
  '## Weather\n\n```js\nconst wind = { from: "west", knots: 12 }\n```\n\nA long line: `LONG`',
  '| place | depth |\n|---|---|\n| pier | 4 m |\n\n- [x] lamp\n- [ ] rope',
  '![The pier](./pier.png) and ![100% sure](100%.png)\n\n> Quiet.',
  '---\nA rule comes first.\n---\n\nThen text.',
  'Text with <b>HTML</b> and a [link](https://example.com/).\n\n<details><summary>More</summary>\n\nInside.\n\n</details>',
]
