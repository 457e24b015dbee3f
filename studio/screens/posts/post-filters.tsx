import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type PostFilter, sorts } from '../../api/posts.ts'
import { listAuthors, listCategories, listTags } from '../../api/references.ts'
import { t } from '../../i18n/catalogue.ts'
import { api } from '../../route/project.ts'
import { useCommands } from '../../ui/commands.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'

interface PostFiltersProps {
  readonly filter: PostFilter
  /** Whether the posts are shown already. */
  readonly isShown: boolean
  onChange(filter: PostFilter, options?: { readonly replace?: boolean }): void
}

/** Shorter than a pause between words, longer than one between letters. */
const typingMs = 180

/** Search as one types, and what narrows the list. */
export function PostFilters({ filter, isShown, onChange }: PostFiltersProps) {
  const choices = useLoaded(isShown ? 'choices' : undefined, async (stop) => {
    const [authors, categories, tags] = await Promise.all([listAuthors(api(), stop), listCategories(api(), stop), listTags(api(), stop)])
    return { authors, categories, tags }
  })
  const { authors = [], categories = [], tags = [] } = choices.value ?? {}
  const options = {
    author: authors.map(({ id, name }) => ({ value: id, name })),
    category: categories.map(({ slug, name }) => ({ value: slug, name })),
    tag: tags.map(({ slug, name }) => ({ value: slug, name })),
  }
  return (
    <div class="filters">
      <TitleSearch value={filter.search ?? ''} onChange={(search) => onChange({ ...filter, search }, { replace: true })} />
      {(['author', 'category', 'tag'] as const).map((name) => (
        <select
          key={name}
          class="quiet-select"
          aria-label={t(`posts.${name}`)}
          data-set={filter[name] ? '' : undefined}
          value={filter[name] ?? ''}
          onChange={(event) => onChange({ ...filter, [name]: event.currentTarget.value })}
        >
          <option value="">{t(`posts.any_${name}`)}</option>
          {options[name].map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      ))}
      <select
        class="quiet-select filters-sort"
        aria-label={t('posts.sort')}
        value={filter.sort}
        onChange={(event) => onChange({ ...filter, sort: sorts.find((sort) => sort === event.currentTarget.value) ?? '-updated_at' })}
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {t(`posts.sort_${sort.replace('-', '') as 'title'}`)}
          </option>
        ))}
      </select>
    </div>
  )
}

function TitleSearch({ value, onChange }: { readonly value: string; onChange(value: string): void }) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(onChange)
  latest.current = onChange
  useCommands(useMemo(() => [{ title: t('posts.search'), keys: '/', run: () => input.current?.focus() }], []))
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(value)
  }, [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => latest.current(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={t('posts.search')}
        placeholder={t('posts.search')}
        maxLength={200}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  )
}
