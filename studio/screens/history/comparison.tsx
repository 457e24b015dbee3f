import { useMemo } from 'preact/hooks'
import type { Post } from '../../api/verso.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { compareTexts, compareWords, type Piece, replace } from './compare.ts'

/** What differs between two versions: the fields first, then the text. The first version has none before it, and is shown whole. */
export function Comparison({ before, after }: { readonly before: Post | undefined; readonly after: Post }) {
  const fields = useMemo(() => (before ? changedFields(before, after) : []), [before, after])
  const blocks = useMemo(() => compareTexts((before ?? after).content, after.content), [before, after])
  const isSpaceChanged = before && before.content !== after.content && blocks.every(({ kind }) => kind === 'same')
  const show = (paragraphs: readonly string[]) => paragraphs.map((text, i) => <p key={i}>{text}</p>)
  return (
    <>
      <dl class="history-fields">
        {fields.map(({ name, pieces }) => (
          <div key={name}>
            <dt>{t(`history.field_${name}`)}</dt>
            <dd>{marked(pieces)}</dd>
          </div>
        ))}
      </dl>
      {isSpaceChanged && <p class="note">{t('history.sameWords')}</p>}
      <div class="history-text">
        {blocks.map((block, i) => {
          if (block.kind === 'changed') return <p key={i}>{marked(block.pieces)}</p>
          const { paragraphs } = block
          // One paragraph is shown beside what has changed.
          const [from, to] = [i === 0 ? 0 : 1, i === blocks.length - 1 ? paragraphs.length : paragraphs.length - 1]
          if (!before || to - from < 2) return show(paragraphs)
          return [
            show(paragraphs.slice(0, from)),
            <details key={i}>
              <summary>{t('history.unchanged', { count: to - from })}</summary>
              {show(paragraphs.slice(from, to))}
            </details>,
            show(paragraphs.slice(to)),
          ]
        })}
      </div>
    </>
  )
}

const marks = { same: 'span', added: 'ins', removed: 'del' } as const
const marked = (pieces: readonly Piece[]) =>
  pieces.map(({ kind, text }, i) => {
    const Mark = marks[kind]
    return <Mark key={i}>{text}</Mark>
  })

const date = (instant: string | null) => instant && formatDate(instant, 'time')

/** The fields beside the text, as people read them. */
const readers = {
  title: ({ title }: Post) => title,
  slug: ({ slug }: Post) => slug,
  status: ({ status }: Post) => t(`status.${status}`),
  publishedAt: ({ publishedAt }: Post) => date(publishedAt),
  scheduledFor: ({ scheduledFor }: Post) => date(scheduledFor),
  excerpt: ({ excerpt }: Post) => excerpt,
  author: ({ author }: Post) => author?.name,
  category: ({ category }: Post) => category?.name,
  tags: ({ tags }: Post) => tags.join(', '),
  aliases: ({ aliases }: Post) => aliases.join('\n'),
  seo: ({ seo }: Post) => Object.values(seo).filter(Boolean).join('\n'),
}

/** These are compared word by word. */
const texts: readonly (keyof typeof readers)[] = ['title', 'excerpt', 'tags', 'seo']

function changedFields(before: Post, after: Post) {
  return Object.entries(readers)
    .map(([name, read]) => ({ name: name as keyof typeof readers, was: read(before) ?? '', is: read(after) ?? '' }))
    .filter(({ was, is }) => was !== is)
    .map(({ name, was, is }) => ({ name, pieces: (texts.includes(name) ? compareWords : replace)(was, is) }))
}
