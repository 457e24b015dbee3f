import { useLayoutEffect, useRef } from 'preact/hooks'
import { listRevisions, type Revision, readPost, readRevision, restoreRevision } from '../../api/revisions.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { api, can, screenPath } from '../../route/project.ts'
import { address, navigate } from '../../route/router.ts'
import { useCommands } from '../../ui/commands.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { ProblemPanel } from '../../ui/problem.tsx'
import { attempt, say } from '../../ui/toasts.tsx'
import { usePages } from '../../ui/use-pages.ts'
import { Comparison } from './comparison.tsx'

/** The versions of a post, and what differs between two of them. Which two stands in the address. */
export function History({ id = '' }: { readonly id?: string }) {
  const post = useLoaded(id, (stop) => readPost(api(), id, stop))
  const versions = usePages(id, (options) => listRevisions(api(), id, options))
  const named = (name: string) => Number(address.value.query.get(name)) || undefined
  const [asked, against] = [named('version'), named('against')]
  const { items } = versions
  const chosen = asked ?? items[0]?.version
  const pathOf = (version: number, compared?: number) =>
    `${screenPath('posts', id, 'history')}?version=${version}${compared ? `&against=${compared}` : ''}`
  const step = (by: number) => () => {
    const to = items[items.findIndex(({ version }) => version === chosen) + by]
    if (to) navigate(pathOf(to.version), { replace: true })
  }
  useCommands([
    { title: t('history.older'), keys: 'j', run: step(1) },
    { title: t('history.newer'), keys: 'k', run: step(-1) },
  ])
  const reload = () => {
    post.reload()
    versions.reload()
  }
  const put = async (version: number, over: number) => {
    const made = await restoreRevision(api(), id, version, over)
    navigate(screenPath('posts', id, 'history'))
    reload()
    return made.version
  }
  const restore = (version: number, current: number) =>
    attempt(async () => {
      const made = await put(version, current)
      say(t('history.restored', { version }), async () => void (await put(current, made)))
    })

  const { value: now } = post
  const mayRestore = can(now?.status === 'published' || now?.status === 'scheduled' ? 'posts:publish' : 'posts:write')
  const error = post.error ?? versions.error
  return (
    <>
      <a class="page-back" href={screenPath('posts', id)}>
        <Icon name="back" />
        <span>{now?.title}</span>
      </a>
      <header class="page-head">
        <h1>{t('history.title')}</h1>
        {now && chosen !== undefined && chosen !== now.version && mayRestore && (
          <button type="button" class="button primary" title={t('history.restoreWhat')} onClick={() => restore(chosen, now.version)}>
            {t('history.restore', { version: chosen })}
          </button>
        )}
      </header>
      {error ? (
        <ProblemPanel error={error} retry={reload} />
      ) : (
        <div class="history" data-open={asked === undefined ? undefined : ''}>
          <ol class="history-list" aria-label={t('history.versions')}>
            {items.map((revision, i) => (
              <li key={revision.version}>
                <a class="history-version" href={pathOf(revision.version)} aria-current={revision.version === chosen ? 'true' : undefined}>
                  <span class="history-when">
                    <time dateTime={revision.createdAt}>{formatDate(revision.createdAt, 'time')}</time>
                    <span>{i === 0 ? t('history.now') : revision.version}</span>
                  </span>
                  <span class="history-what">{`${whoWrote(revision)} · ${whatChanged(revision)}`}</span>
                </a>
              </li>
            ))}
            <li class="list-end" ref={versions.end} />
          </ol>
          {chosen !== undefined && (
            <Panel
              id={id}
              version={chosen}
              against={against ?? chosen - 1}
              others={items.map(({ version }) => version).filter((version) => version !== chosen)}
              onCompare={(other) => navigate(pathOf(chosen, other), { replace: true })}
            />
          )}
        </div>
      )}
    </>
  )
}

/** The person or the key, and the program, where it says its name. */
function whoWrote({ actor, actorName, client }: Revision): string {
  const known = (['cli', 'import', 'schedule'] as const).find((each) => each === actor) ?? (actor.startsWith('key_') ? 'key' : undefined)
  const who = actorName ?? (known ? t(`history.by_${known}`) : actor)
  return client === null ? who : t('history.with', { who, client })
}

function whatChanged({ version, changed }: Revision): string {
  return version === 1 ? t('history.created') : changed.map((field) => t(`history.field_${field}`)).join(', ')
}

interface PanelProps {
  readonly id: string
  readonly version: number
  /** The version that it is compared with; 0 for none. */
  readonly against: number
  readonly others: readonly number[]
  onCompare(version: number): void
}

function Panel({ id, version, against, others, onCompare }: PanelProps) {
  const loaded = useLoaded(`${version} ${against}`, async (stop) => {
    const read = (which: number) => readRevision(api(), id, which, stop)
    const [after, before] = await Promise.all([read(version), against > 0 ? read(against) : undefined])
    // A later version may be compared with an earlier one or the other way round: the earlier stands before.
    return before && against > version ? { before: after, after: before } : { before, after }
  })
  const heading = useRef<HTMLHeadingElement>(null)
  // On a narrow window it takes the place of the list.
  useLayoutEffect(() => {
    if (document.querySelector('.history-list')?.clientHeight === 0) heading.current?.focus()
  }, [version])
  return (
    <section class="history-panel" aria-busy={!loaded.value}>
      <a class="page-back history-all" href={screenPath('posts', id, 'history')}>
        <Icon name="back" />
        {t('history.all')}
      </a>
      <div class="history-head">
        <h2 ref={heading} tabIndex={-1}>
          {t('history.version', { version })}
        </h2>
        {others.length > 0 && (
          <label>
            {t('history.against')}
            <select class="quiet-select" value={against} onChange={(event) => onCompare(Number(event.currentTarget.value))}>
              {against === 0 && <option value={0}>{t('history.nothing')}</option>}
              {others.map((other) => (
                <option key={other} value={other}>
                  {t('history.version', { version: other })}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {loaded.error ? (
        <ProblemPanel error={loaded.error} retry={loaded.reload} />
      ) : (
        loaded.value && <Comparison before={loaded.value.before} after={loaded.value.after} />
      )}
    </section>
  )
}
