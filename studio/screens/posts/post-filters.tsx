import { listChoices, statuses } from '../../api/posts.ts'
import type { Post } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { type Option, Select } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/loading.tsx'
import { Search } from '../../ui/rows.tsx'

const sorts = ['-updated_at', '-published_at', '-created_at', 'title'] as const
export type Sort = (typeof sorts)[number]
const newest: Sort = '-updated_at'

/** What the list shows: an author by their id, a category and a tag by their slugs. */
export interface PostFilter extends Partial<Readonly<Record<'search' | 'author' | 'category' | 'tag', string | undefined>>> {
  readonly status?: Post['status'] | undefined
  readonly sort: Sort
}

/** What the address asks for. */
export function filterIn(query: URLSearchParams): PostFilter {
  const named = (name: string) => query.get(name) ?? undefined
  const status = statuses.find((each) => each === named('status'))
  const sort = sorts.find((each) => each === named('sort')) ?? newest
  return { status, sort, search: named('search'), author: named('author'), category: named('category'), tag: named('tag') }
}

/** As it stands in the address, where what goes without saying is left out. */
export const addressed = ({ sort, ...rest }: PostFilter) => ({ ...rest, sort: sort === newest ? undefined : sort })

/** What Verso is asked for: an empty filter is none. */
export function queryOf({ sort, search, ...rest }: PostFilter) {
  return Object.fromEntries(Object.entries({ ...rest, search: search?.slice(0, 200) }).filter(([, value]) => value))
}

interface PostFiltersProps {
  readonly filter: PostFilter
  /** Whether the posts are shown already. */
  readonly isShown: boolean
  onChange(filter: PostFilter, options?: { readonly replace?: boolean }): void
}

/** Search as one types, and what narrows the list. */
export function PostFilters({ filter, isShown, onChange }: PostFiltersProps) {
  const { value: choices } = useLoaded(isShown ? 'choices' : undefined, (stop) => listChoices(verso(), stop))
  const options: Readonly<Record<string, readonly Option[] | undefined>> = {
    author: choices?.authors.map(({ id, name }) => [id, name]),
    category: choices?.categories.map(({ slug, name }) => [slug, name]),
    tag: choices?.tags.map(({ slug, name }) => [slug, name]),
  }
  return (
    <div class="filters">
      <Search
        label={t('posts.search')}
        value={filter.search ?? ''}
        onSearch={(search) => onChange({ ...filter, search }, { replace: true })}
      />
      {(['author', 'category', 'tag'] as const).map((name) => (
        <Select
          key={name}
          class="quiet-select"
          aria-label={t(`posts.${name}`)}
          data-set={filter[name] ? '' : undefined}
          value={filter[name] ?? ''}
          options={[['', t(`posts.any_${name}`)], ...(options[name] ?? [])]}
          onChange={(chosen) => onChange({ ...filter, [name]: chosen })}
        />
      ))}
      <Select
        class="quiet-select filters-sort"
        aria-label={t('posts.sort')}
        value={filter.sort}
        options={sorts.map((sort) => [sort, t(`posts.sort_${sort.replace('-', '') as 'title'}`)])}
        onChange={(chosen) => onChange({ ...filter, sort: chosen as Sort })}
      />
    </div>
  )
}
